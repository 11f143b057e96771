package postgresstore

import (
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

func (t *tx) Covers(papers []int64) (map[int64]store.Page, error) {
	covers := map[int64]store.Page{}
	err := t.Each(`
		SELECT first.node, first.id, first.number, first.part_of_index, i.type, i.size_kb, i.url, i.start, i.bytes, i.width, i.height
		FROM unnest($1::bigint[]) AS wanted (paper)
			CROSS JOIN LATERAL (SELECT * FROM page WHERE page.node = wanted.paper ORDER BY number LIMIT 1) first
			LEFT JOIN image i ON i.page = first.id
		ORDER BY first.id, i.type`, []any{nonNil(papers)}, func(scan func(...any) error) error {
		var paper int64
		var p store.Page
		var kind, width, height *int
		var size, start, bytes *int64
		var url *string
		if err := scan(&paper, &p.ID, &p.Number, &p.PartOfIndex, &kind, &size, &url, &start, &bytes, &width, &height); err != nil {
			return err
		}
		p.Images = covers[paper].Images
		if kind != nil {
			p.Images = append(p.Images, store.Image{Type: records.ImageTypes[*kind-1], SizeKB: *size, URL: *url, Start: *start, Bytes: *bytes, Width: *width, Height: *height})
		}
		covers[paper] = p
		return nil
	})
	return covers, err
}
