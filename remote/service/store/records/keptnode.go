package records

import (
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// KeepNode implements store.KeptWriter, but does not count the tenant's papers.
func (q Queries) KeepNode(id int64, by store.By) error {
	err := q.tx.Exec(`INSERT INTO kept (tenant, kind, thing, parent, name, folded_name, version, at, account, became, holds, size, content, data)
		SELECT tenant, 3, id, parent, name, url_name, version, CAST($2 AS bigint), CAST($3 AS text), 0, 1, coalesce((SELECT pdf_size FROM rendition WHERE node = id), 0), '', CAST('' AS `+q.dialect.Bytes+`)
		FROM node WHERE id = $1`, id, by.At.Unix(), by.Account)
	if err == nil {
		err = q.tx.Exec(`DELETE FROM preview_token WHERE node = $1`, id)
	}
	if err != nil {
		return err
	}
	return q.tx.Change(`UPDATE node SET tenant = 0, parent = 0, url_name = '/' || id WHERE id = $1 AND tenant > 0`, id)
}

// ReturnNode implements store.KeptWriter, but does not count the tenant's papers.
func (q Queries) ReturnNode(n store.Node) (version int64, err error) {
	if err := q.tx.CheckTenant(n.Tenant); err != nil {
		return 0, err
	}
	if err := q.InheritPublic(n.ID, n.Parent); err != nil { // before its tenant has it back, so that nobody is told in between
		return 0, err
	}
	version = store.NewVersion()
	return version, q.tx.Change(`UPDATE node SET tenant = $2, parent = $3, name = $4, folded_name = $5, url_name = $6, version = $7 WHERE id = $1 AND tenant = 0`,
		n.ID, n.Tenant, n.Parent, n.Name, rules.Fold(n.Name), n.URLName, version)
}

// PurgeNode implements store.KeptWriter.
func (q Queries) PurgeNode(id int64) error {
	return q.tx.Change(`DELETE FROM node WHERE id = $1 AND tenant = 0`, id)
}
