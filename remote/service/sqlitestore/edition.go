package sqlitestore

import "paperfs/remote/service/store"

func (t *tx) Edition(paper int64) (number int64, err error) {
	err = t.row(`SELECT number FROM edition WHERE node = ?`, []any{paper}, &number)
	return number, store.IgnoreNotFound(err)
}

// newEdition must be called by every change of pages or links. Triggers cover media files.
func (t *tx) newEdition(paper int64) error {
	return t.change(`INSERT INTO edition (node, number) VALUES (?, random()) ON CONFLICT DO UPDATE SET number = excluded.number`, paper)
}
