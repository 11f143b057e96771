package sqlitestore

import (
	"slices"

	"paperfs/remote/service/store"
)

func (t *tx) Rendition(paper int64) (store.Rendition, error) {
	var r store.Rendition
	err := t.row(`SELECT pdf, pdf_size, images FROM rendition WHERE node = ?`, []any{paper}, &r.PDF, &r.PDFSize, &r.Images)
	return r, err
}

func (t *tx) SetRendition(paper int64, r store.Rendition) error {
	return t.change(`INSERT INTO rendition (node, pdf, pdf_size, images) VALUES (?, ?, ?, ?)
		ON CONFLICT (node) DO UPDATE SET pdf = excluded.pdf, pdf_size = excluded.pdf_size, images = excluded.images`,
		paper, r.PDF, r.PDFSize, r.Images)
}

func (t *tx) PageImage(paper, page int64, kind string) (store.Image, string, error) {
	i := store.Image{Type: kind}
	var content string
	err := t.row(`
		SELECT image.size_kb, image.start, image.bytes, image.width, image.height, rendition.images
		FROM image JOIN page ON page.id = image.page JOIN rendition ON rendition.node = page.node
		WHERE image.page = ? AND image.type = ? AND image.bytes > 0 AND page.node = ?`,
		[]any{page, slices.Index(imageTypes, kind) + 1, paper}, &i.SizeKB, &i.Start, &i.Bytes, &i.Width, &i.Height, &content)
	return i, content, err
}

func (t *tx) Secret(name string) ([]byte, error) {
	var value []byte
	err := t.row(`SELECT value FROM secret WHERE name = ?`, []any{name}, &value)
	return value, err
}

func (t *tx) SetSecret(name string, value []byte) error {
	t.checkTenant(store.AllTenants)
	return t.change(`INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`, name, value)
}
