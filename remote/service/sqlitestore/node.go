package sqlitestore

import (
	"database/sql"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

const nodeColumns = `id, tenant, coalesce(parent, 0), kind, name, url_name, period_from, period_to`

// nodeRow scans nodeColumns of successive rows.
type nodeRow struct {
	n        store.Node
	from, to sql.NullInt64
}

func (r *nodeRow) columns(more ...any) []any {
	return append([]any{&r.n.ID, &r.n.Tenant, &r.n.Parent, &r.n.Kind, &r.n.Name, &r.n.URLName, &r.from, &r.to}, more...)
}

func (r *nodeRow) node() store.Node {
	r.n.Period = remote.Period{}
	if r.from.Valid && r.to.Valid {
		r.n.Period = remote.Period{From: time.Unix(r.from.Int64, 0).UTC(), To: time.Unix(r.to.Int64, 0).UTC()}
	}
	return r.n
}

// node returns the only node that a query finds.
func (t *tx) node(query string, args ...any) (store.Node, error) {
	var r nodeRow
	if err := t.row(query, args, r.columns()...); err != nil {
		return store.Node{}, err
	}
	return r.node(), nil
}

func (t *tx) Node(tenant, id int64) (store.Node, error) {
	return t.node(`SELECT `+nodeColumns+` FROM node WHERE id = ? AND tenant = ?`, id, tenant)
}

func (t *tx) Child(parent int64, urlName string) (store.Node, error) {
	return t.node(`SELECT `+nodeColumns+` FROM node WHERE parent = ? AND url_name = ?`, parent, urlName)
}

// ancestors lists the ids of a node and its ancestors with their distance.
const ancestors = `
	WITH RECURSIVE up (at, step) AS (
		SELECT ?, 0 UNION ALL
		SELECT node.parent, step + 1 FROM up JOIN node ON node.id = at WHERE node.parent IS NOT NULL)`

func (t *tx) Ancestors(id int64) ([]store.Node, error) {
	var up []store.Node
	var r nodeRow
	columns := r.columns()
	err := t.each(ancestors+`
		SELECT `+nodeColumns+` FROM up JOIN node ON node.id = at ORDER BY step`, []any{id},
		func(scan func(...any) error) error {
			err := scan(columns...)
			up = append(up, r.node())
			return err
		})
	return up, err
}

func (t *tx) HasChildren(id int64) (has bool, err error) {
	err = t.row(`SELECT EXISTS (SELECT 1 FROM node WHERE parent = ?)`, []any{id}, &has)
	return has, err
}

func (t *tx) Height(id int64, most int) (height int, err error) {
	err = t.row(`WITH RECURSIVE down (at, step) AS (
			SELECT id, 1 FROM node WHERE id = ? AND kind = ? UNION ALL
			SELECT node.id, step + 1 FROM down JOIN node ON node.parent = at AND node.kind = ? WHERE step < ?)
		SELECT coalesce(max(step), 0) FROM down`, []any{id, remote.CategoryNode, remote.CategoryNode, most}, &height)
	return height, err
}

func (t *tx) TreeVersion(tenant int64) (version int64, err error) {
	err = t.row(`SELECT tree_version FROM tenant WHERE id = ?`, []any{tenant}, &version)
	return version, err
}

func (t *tx) AddNode(n store.Node) (int64, error) {
	t.checkTenant(n.Tenant)
	parent := sql.NullInt64{Int64: n.Parent, Valid: n.Parent != 0}
	from, to := periodColumns(n.Period)
	return t.insert(`INSERT INTO node (tenant, parent, kind, name, folded_name, url_name, period_from, period_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		n.Tenant, parent, n.Kind, n.Name, rules.Fold(n.Name), n.URLName, from, to)
}

func (t *tx) MoveNode(id, parent int64) error {
	return t.change(`UPDATE node SET parent = ? WHERE id = ?`, parent, id)
}

func (t *tx) SetURLName(id int64, urlName string) error {
	return t.change(`UPDATE node SET url_name = ? WHERE id = ?`, urlName, id)
}

func (t *tx) SetPeriod(id int64, p remote.Period) error {
	from, to := periodColumns(p)
	return t.change(`UPDATE node SET period_from = ?, period_to = ? WHERE id = ?`, from, to, id)
}

func periodColumns(p remote.Period) (from, to sql.NullInt64) {
	if p.IsZero() {
		return
	}
	return sql.NullInt64{Int64: p.From.Unix(), Valid: true}, sql.NullInt64{Int64: p.To.Unix(), Valid: true}
}

func (t *tx) DeleteNode(id int64) error {
	return t.change(`DELETE FROM node WHERE id = ?`, id)
}

func (t *tx) InheritedSetting(node int64, name string) (value string, found bool, err error) {
	err = t.row(ancestors+`
		SELECT value FROM up JOIN setting ON setting.node = at AND setting.name = ? ORDER BY step LIMIT 1`,
		[]any{node, name}, &value)
	if err == store.ErrNotFound {
		return "", false, nil
	}
	return value, err == nil, err
}

func (t *tx) SetSetting(node int64, name, value string) error {
	return t.change(`INSERT INTO setting (node, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`, node, name, value)
}
