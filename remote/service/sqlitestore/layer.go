package sqlitestore

import "paperfs/remote/service/store"

func (t *tx) Titles(paper int64) ([]store.Title, error) {
	var all []store.Title
	err := t.each(`SELECT number, title FROM page WHERE node = ? AND title <> '' ORDER BY number`, []any{paper}, func(scan func(...any) error) error {
		var title store.Title
		err := scan(&title.Page, &title.Lines)
		all = append(all, title)
		return err
	})
	return all, err
}

func (t *tx) Layer(paper, page int64) (layer []byte, err error) {
	err = t.row(`SELECT l.layer FROM page p LEFT JOIN page_layer l ON l.page = p.id WHERE p.node = ? AND p.id = ?`, []any{paper, page}, &layer)
	return layer, err
}
