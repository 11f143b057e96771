package sqlitestore

import (
	"fmt"
	"time"

	"paperfs/remote/service/store"
)

// imageTypes in the order of their numbers in the table, from 1.
var imageTypes = []string{"Zoom", "Normal", "Thumb"}

// below lists the ids of a node and of all nodes below it.
const below = `
	WITH RECURSIVE below (id) AS (
		SELECT ? UNION ALL SELECT node.id FROM below JOIN node ON node.parent = below.id)`

func (t *tx) Pages(paper int64, text bool, visit func(store.Page) error) error {
	// One row a page and image, so that no second query runs inside the first.
	var page store.Page
	flush := func() error {
		if page.ID == 0 {
			return nil
		}
		return visit(page)
	}
	err := t.each(`
		SELECT p.id, p.number, p.part_of_index, iif(?, p.text, ''), coalesce(i.type, 0), coalesce(i.size_kb, 0), coalesce(i.url, ''),
			coalesce(i.start, 0), coalesce(i.bytes, 0), coalesce(i.width, 0), coalesce(i.height, 0)
		FROM page p LEFT JOIN image i ON i.page = p.id WHERE p.node = ? ORDER BY p.number, i.type`, []any{text, paper},
		func(scan func(...any) error) error {
			var row store.Page
			var image store.Image
			var kind int
			if err := scan(&row.ID, &row.Number, &row.PartOfIndex, &row.Text, &kind, &image.SizeKB, &image.URL,
				&image.Start, &image.Bytes, &image.Width, &image.Height); err != nil {
				return err
			}
			if row.ID != page.ID {
				if err := flush(); err != nil {
					return err
				}
				page = row
			}
			if kind > 0 {
				image.Type = imageTypes[kind-1]
				page.Images = append(page.Images, image)
			}
			return nil
		})
	if err != nil {
		return err
	}
	return flush()
}

func (t *tx) ReplacePages(paper int64, pages []store.Page) error {
	if _, err := t.ExecContext(t.ctx, `DELETE FROM page WHERE node = ?`, paper); err != nil {
		return translate(err)
	}
	for _, p := range pages {
		id, err := t.insert(`INSERT INTO page (node, number, part_of_index, text) VALUES (?, ?, ?, ?)`, paper, p.Number, p.PartOfIndex, p.Text)
		if err != nil {
			return err
		}
		if _, err := t.insert(`INSERT INTO page_phrase (page, phrase) VALUES (?, ?)`, id, store.Phrase(p.Text)); err != nil {
			return err
		}
		for _, i := range p.Images {
			if err := t.addImage(id, i); err != nil {
				return err
			}
		}
	}
	_, err := t.ExecContext(t.ctx, `INSERT INTO page_index (rowid, phrase)
		SELECT page.id, phrase FROM page JOIN page_phrase ON page_phrase.page = page.id WHERE page.node = ? ORDER BY page.id`, paper)
	return translate(err)
}

func (t *tx) addImage(page int64, i store.Image) error {
	for n, name := range imageTypes {
		if name == i.Type {
			return t.change(`INSERT INTO image (page, type, size_kb, url, start, bytes, width, height) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
				page, n+1, i.SizeKB, i.URL, i.Start, i.Bytes, i.Width, i.Height)
		}
	}
	return fmt.Errorf("unknown image type %q", i.Type)
}

func (t *tx) Processing(paper int64) (store.Processing, error) {
	var p store.Processing
	var at int64
	err := t.row(`SELECT at, pdf_kb FROM processing WHERE node = ?`, []any{paper}, &at, &p.PDFKB)
	p.At = time.Unix(at, 0).UTC()
	return p, err
}

func (t *tx) SetProcessing(paper int64, p store.Processing) error {
	return t.change(`INSERT INTO processing (node, at, pdf_kb) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET at = excluded.at, pdf_kb = excluded.pdf_kb`, paper, p.At.Unix(), p.PDFKB)
}
