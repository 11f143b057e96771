package sqlitestore

import "paperfs/remote/service/store"

func (t *tx) Covers(papers []int64) (map[int64]store.Page, error) {
	covers := map[int64]store.Page{}
	for _, paper := range papers {
		err := t.Each(`SELECT p.id, p.number, p.part_of_index, `+imagesOf+` FROM page p WHERE p.node = ? ORDER BY p.number LIMIT 1`,
			[]any{paper}, func(scan func(...any) error) error {
				var p store.Page
				var packed []byte
				err := scan(&p.ID, &p.Number, &p.PartOfIndex, &packed)
				if err == nil {
					p.Images, err = unpackImages(packed)
				}
				covers[paper] = p
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	return covers, nil
}
