package records

import (
	"slices"
	"time"

	"paperfs/remote/service/store"
)

// ImageTypes in the order of their numbers in the table, starting at 1.
var ImageTypes = []string{"Zoom", "Normal", "Thumb"}

// PageCount implements store.PageReader.
func (q Queries) PageCount(paper int64) (last int, err error) {
	err = q.tx.Row(`SELECT coalesce(max(number), 0) FROM page WHERE node = $1`, []any{paper}, &last)
	return last, err
}

// MorePagesThan reports whether there are more pages than limit below a node. It stops counting
// as soon as it knows the answer.
func (q Queries) MorePagesThan(node int64, limit int64) (more bool, err error) {
	err = q.tx.Row(Below+`
		SELECT count(*) > $2 FROM (SELECT 1 FROM below JOIN page ON page.node = below.id LIMIT $2 + 1) few`, []any{node, limit}, &more)
	return more, err
}

// Titles implements store.PageReader.
func (q Queries) Titles(paper int64) ([]store.Title, error) {
	return All(q.tx, `SELECT number, title FROM page WHERE node = $1 AND title <> '' ORDER BY number`, []any{paper},
		func(scan func(...any) error, title *store.Title) error { return scan(&title.Page, &title.Lines) })
}

// Layer implements store.PageReader.
func (q Queries) Layer(paper, page int64) (layer []byte, err error) {
	err = q.tx.Row(`SELECT l.layer FROM page p LEFT JOIN page_layer l ON l.page = p.id WHERE p.node = $1 AND p.id = $2`, []any{paper, page}, &layer)
	return layer, err
}

// Processing implements store.PageReader.
func (q Queries) Processing(paper int64) (store.Processing, error) {
	var p store.Processing
	var at int64
	err := q.tx.Row(`SELECT at, pdf_kb FROM processing WHERE node = $1`, []any{paper}, &at, &p.PDFKB)
	p.At = time.Unix(at, 0).UTC()
	return p, err
}

// SetProcessing implements store.PageWriter.
func (q Queries) SetProcessing(paper int64, p store.Processing) error {
	return q.tx.Change(`INSERT INTO processing (node, at, pdf_kb) VALUES ($1, $2, $3)
		ON CONFLICT (node) DO UPDATE SET at = excluded.at, pdf_kb = excluded.pdf_kb`, paper, p.At.Unix(), p.PDFKB)
}

const twin = ` FROM page o JOIN page n ON n.number = o.number AND n.node = $2 JOIN `

var copies = []string{
	`INSERT INTO custom_value (field, node, value) SELECT field, CAST($2 AS bigint), value FROM custom_value WHERE node = $1`,
	`INSERT INTO processing (node, at, pdf_kb) SELECT CAST($2 AS bigint), at, pdf_kb FROM processing WHERE node = $1`,
	`INSERT INTO page (node, number, part_of_index, text, title) SELECT CAST($2 AS bigint), number, part_of_index, text, title FROM page WHERE node = $1 ORDER BY number`,
	`INSERT INTO page_phrase (page, phrase) SELECT n.id, phrase` + twin + `page_phrase ON page = o.id WHERE o.node = $1`,
	`INSERT INTO page_layer (page, layer) SELECT n.id, layer` + twin + `page_layer ON page = o.id WHERE o.node = $1`,
	`INSERT INTO image (page, type, size_kb, url, start, bytes, width, height)
		SELECT n.id, type, size_kb, url, start, bytes, width, height` + twin + `image ON page = o.id WHERE o.node = $1`,
}

// CopyPages implements store.PageWriter, without an edition, and without an index that is apart from the phrases.
func (q Queries) CopyPages(from, to int64) error {
	for _, statement := range copies {
		if err := q.tx.Exec(statement, from, to); err != nil {
			return err
		}
	}
	return nil
}

// Rendition implements store.RenditionReader.
func (q Queries) Rendition(paper int64) (store.Rendition, error) {
	var r store.Rendition
	err := q.tx.Row(`SELECT pdf, pdf_size, images, wishes FROM rendition WHERE node = $1`, []any{paper}, &r.PDF, &r.PDFSize, &r.Images, &r.Wishes)
	return r, err
}

// SetRendition implements store.RenditionWriter.
func (q Queries) SetRendition(paper int64, r store.Rendition) error {
	return q.tx.Change(`INSERT INTO rendition (node, pdf, pdf_size, images, wishes) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (node) DO UPDATE SET pdf = excluded.pdf, pdf_size = excluded.pdf_size, images = excluded.images, wishes = excluded.wishes`,
		paper, r.PDF, r.PDFSize, r.Images, r.Wishes)
}

// PageImage implements store.RenditionReader.
func (q Queries) PageImage(paper, page int64, kind string) (store.Image, string, error) {
	i := store.Image{Type: kind}
	var content string
	err := q.tx.Row(`
		SELECT page.number, image.size_kb, image.start, image.bytes, image.width, image.height, rendition.images
		FROM image JOIN page ON page.id = image.page JOIN rendition ON rendition.node = page.node
		WHERE image.page = $1 AND image.type = $2 AND image.bytes > 0 AND page.node = $3`,
		[]any{page, slices.Index(ImageTypes, kind) + 1, paper}, &i.Page, &i.SizeKB, &i.Start, &i.Bytes, &i.Width, &i.Height, &content)
	return i, content, err
}
