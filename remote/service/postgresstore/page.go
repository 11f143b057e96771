package postgresstore

import (
	"fmt"
	"slices"
	"time"

	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

// Pages implements store.PageReader. It reads the images of all pages first: joined to the pages,
// each text would be sent once per image.
func (t *tx) Pages(paper int64, text bool, visit func(store.Page) error) error {
	images, err := t.images(paper)
	if err != nil {
		return err
	}
	return t.Each(`SELECT id, number, part_of_index, CASE WHEN $2 THEN text ELSE '' END, CASE WHEN $2 THEN layer END
		FROM page LEFT JOIN page_layer ON page = id WHERE node = $1 ORDER BY number`, []any{paper, text},
		func(scan func(...any) error) error {
			var p store.Page
			if err := scan(&p.ID, &p.Number, &p.PartOfIndex, &p.Text, &p.Layer); err != nil {
				return err
			}
			p.Images = images[p.ID]
			return visit(p)
		})
}

// images returns the images of a paper by page, in the order of their types.
func (t *tx) images(paper int64) (map[int64][]store.Image, error) {
	images := map[int64][]store.Image{}
	err := t.Each(`SELECT i.page, i.type, i.size_kb, i.url, i.start, i.bytes, i.width, i.height
		FROM image i JOIN page ON page.id = i.page WHERE page.node = $1 ORDER BY i.page, i.type`, []any{paper},
		func(scan func(...any) error) error {
			var i store.Image
			var page int64
			var kind int
			err := scan(&page, &kind, &i.SizeKB, &i.URL, &i.Start, &i.Bytes, &i.Width, &i.Height)
			if err == nil {
				i.Type = records.ImageTypes[kind-1]
				images[page] = append(images[page], i)
			}
			return err
		})
	return images, err
}

// ReplacePages implements store.PageWriter. It allocates the ids first, so that all rows can be
// streamed and the ids ascend with the page numbers.
func (t *tx) ReplacePages(paper int64, pages []store.Page) error {
	if err := t.Exec(`DELETE FROM page WHERE node = $1`, paper); err != nil {
		return err
	}
	if err := t.newEdition(paper); err != nil {
		return err
	}
	ids, err := records.All(t, `SELECT nextval(pg_get_serial_sequence('page', 'id')) FROM generate_series(1, $1)`, []any{len(pages)},
		func(scan func(...any) error, id *int64) error { return scan(id) })
	if err != nil {
		return err
	}
	slices.Sort(ids)
	if err := t.copyPages(paper, ids, pages); err != nil {
		return err
	}
	return t.copyImages(ids, pages)
}

func (t *tx) copyPages(paper int64, ids []int64, pages []store.Page) error {
	err := t.InsertMany("page", []string{"id", "node", "number", "part_of_index", "text", "title"}, len(pages), func(i int) ([]any, error) {
		p := pages[i]
		return []any{ids[i], paper, p.Number, p.PartOfIndex, p.Text, p.Titles}, nil
	})
	if err != nil {
		return err
	}
	err = t.InsertMany("page_phrase", []string{"page", "phrase"}, len(pages), func(i int) ([]any, error) {
		return []any{ids[i], store.Phrase(pages[i].Text)}, nil
	})
	if err != nil {
		return err
	}
	var layers []int
	for i, p := range pages {
		if p.Layer != nil {
			layers = append(layers, i)
		}
	}
	return t.InsertMany("page_layer", []string{"page", "layer"}, len(layers), func(i int) ([]any, error) {
		return []any{ids[layers[i]], pages[layers[i]].Layer}, nil
	})
}

func (t *tx) copyImages(ids []int64, pages []store.Page) error {
	var rows [][]any
	for at, p := range pages {
		for _, i := range p.Images {
			kind := slices.Index(records.ImageTypes, i.Type) + 1
			if kind == 0 {
				return fmt.Errorf("unknown image type %q", i.Type)
			}
			rows = append(rows, []any{ids[at], kind, i.SizeKB, i.URL, i.Start, i.Bytes, i.Width, i.Height})
		}
	}
	return t.InsertMany("image", []string{"page", "type", "size_kb", "url", "start", "bytes", "width", "height"}, len(rows),
		func(i int) ([]any, error) { return rows[i], nil })
}

func (t *tx) Processings(papers []int64, visit func(int64, store.Processing) error) error {
	return t.Each(`SELECT node, at, pdf_kb FROM processing WHERE node = ANY($1)`, []any{nonNil(papers)}, func(scan func(...any) error) error {
		var paper, at int64
		var p store.Processing
		if err := scan(&paper, &at, &p.PDFKB); err != nil {
			return err
		}
		p.At = time.Unix(at, 0).UTC()
		return visit(paper, p)
	})
}
