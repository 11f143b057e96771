package sqlitestore

import (
	"strings"

	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

var linkInto = append([]string{"node", "ordinal"}, strings.Split(records.LinkColumns, ", ")...)

func (t *tx) ReplaceLinks(paper int64, links []store.Link) error {
	if err := t.Exec(`DELETE FROM link WHERE node = ?`, paper); err != nil {
		return err
	}
	if err := t.newEdition(paper); err != nil {
		return err
	}
	return t.InsertMany("link", linkInto, len(links), func(i int) ([]any, error) {
		return append([]any{paper, int64(i + 1)}, records.LinkRow(&links[i])...), nil
	})
}

func (t *tx) Accept(paper int64, a store.Accepted) (int64, error) {
	edition := store.NewVersion()
	return edition, t.Change(records.Accept, paper, edition, a.Sum[:], a.Size, a.Job)
}

// newEdition must be called by every change of pages or links. Triggers cover media files.
func (t *tx) newEdition(paper int64) error {
	return t.Change(`INSERT INTO edition (node, number) VALUES (?, random()) ON CONFLICT DO UPDATE SET number = excluded.number`, paper)
}
