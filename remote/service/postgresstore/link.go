package postgresstore

import (
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

var linkInto = append([]string{"node", "ordinal", "file"}, strings.Split(records.LinkColumns, ", ")...)

func (t *tx) ReplaceLinks(paper int64, links []store.Link) error {
	if err := t.Exec(`DELETE FROM link WHERE node = $1`, paper); err != nil {
		return err
	}
	if err := t.newEdition(paper); err != nil {
		return err
	}
	return t.InsertMany("link", linkInto, len(links), func(i int) ([]any, error) {
		var file *int64
		if id, ok := rules.ID(links[i].FileID); ok && links[i].LinkType == "file" {
			file = &id
		}
		return append([]any{paper, int64(i + 1), file}, records.LinkRow(&links[i])...), nil
	})
}

// newEdition must be called by every change of pages or links.
func (t *tx) newEdition(paper int64) error {
	return t.setEdition(`INSERT INTO edition (node, number) VALUES ($1, $2) ON CONFLICT (node) DO UPDATE SET number = excluded.number`, paper, store.NewVersion())
}

func (t *tx) Accept(paper int64, a store.Accepted) (int64, error) {
	edition := store.NewVersion()
	return edition, t.setEdition(records.Accept, paper, edition, a.Sum[:], a.Size, a.Job)
}

func (t *tx) setEdition(query string, args ...any) error {
	var tenant int64
	err := t.Row(query+` RETURNING (SELECT tenant FROM node WHERE id = edition.node)`, args, &tenant)
	if err == nil {
		t.updateOf(tenant).editions = true
	}
	return err
}
