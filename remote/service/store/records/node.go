package records

import (
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// NodeColumns are the columns that a NodeRow reads.
const NodeColumns = `node.id, node.tenant, coalesce(node.parent, 0), node.kind, node.name, node.url_name, node.period_from, node.period_to, node.version, ` + NotPublic

// NotPublic is a column of a node.
const NotPublic = `EXISTS (SELECT 1 FROM not_public WHERE not_public.node = node.id)`

// NodeRow scans NodeColumns of successive rows.
type NodeRow struct {
	n        store.Node
	from, to *int64
}

// Columns returns what to scan NodeColumns into, and more columns after them.
func (r *NodeRow) Columns(more ...any) []any {
	return append([]any{&r.n.ID, &r.n.Tenant, &r.n.Parent, &r.n.Kind, &r.n.Name, &r.n.URLName, &r.from, &r.to, &r.n.Version, &r.n.NotPublic}, more...)
}

// Node returns the node of the row that was scanned last.
func (r *NodeRow) Node() store.Node {
	r.n.Period = remote.Period{}
	if r.from != nil && r.to != nil {
		r.n.Period = remote.Period{From: time.Unix(*r.from, 0).UTC(), To: time.Unix(*r.to, 0).UTC()}
	}
	return r.n
}

// PeriodColumns returns the values of period_from and period_to: NULL for no period.
func PeriodColumns(p remote.Period) (from, to *int64) {
	if p.IsZero() {
		return nil, nil
	}
	begin, end := p.From.Unix(), p.To.Unix()
	return &begin, &end
}

// upTo begins a query: up lists the ids of a node and its ancestors with their distance, beside the rows of a table
// that belong to each.
func (q Queries) upTo(columns, table, on string) string {
	return `WITH RECURSIVE up (at, step) AS (
		SELECT CAST($1 AS bigint), 0 UNION ALL
		SELECT node.parent, step + 1 FROM up ` + q.dialect.Beside("node", "node.id = at") + ` WHERE node.parent IS NOT NULL)
		SELECT ` + columns + ` FROM up ` + q.dialect.Beside(table, on)
}

// Below begins a query: below lists the ids of a node and all its descendants.
const Below = `
	WITH RECURSIVE below (id) AS (
		SELECT CAST($1 AS bigint) UNION ALL SELECT node.id FROM below JOIN node ON node.parent = below.id)`

// FindNode returns the only node that a query for NodeColumns finds.
func (q Queries) FindNode(query string, args ...any) (store.Node, error) {
	var r NodeRow
	if err := q.tx.Row(query, args, r.Columns()...); err != nil {
		return store.Node{}, err
	}
	return r.Node(), nil
}

// Node implements store.NodeReader.
func (q Queries) Node(tenant, id int64) (store.Node, error) {
	return q.FindNode(`SELECT `+NodeColumns+` FROM node WHERE id = $1 AND tenant = $2`, id, tenant)
}

// Ancestors implements store.NodeReader.
func (q Queries) Ancestors(id int64) ([]store.Node, error) {
	var r NodeRow
	return All(q.tx, q.upTo(NodeColumns, "node", "node.id = at")+` ORDER BY step`, []any{id}, func(scan func(...any) error, n *store.Node) error {
		err := scan(r.Columns()...)
		*n = r.Node()
		return err
	})
}

// HasChildren implements store.NodeReader.
func (q Queries) HasChildren(id int64) (has bool, err error) {
	err = q.tx.Row(`SELECT EXISTS (SELECT 1 FROM node WHERE parent = $1)`, []any{id}, &has)
	return has, err
}

// Height implements store.NodeReader.
func (q Queries) Height(id int64, most int) (height int, err error) {
	err = q.tx.Row(`WITH RECURSIVE down (at, step) AS (
			SELECT id, 1 FROM node WHERE id = $1 AND kind = $2 UNION ALL
			SELECT node.id, step + 1 FROM down JOIN node ON node.parent = at AND node.kind = $2 WHERE step < $3)
		SELECT coalesce(max(step), 0) FROM down`, []any{id, remote.CategoryNode, most}, &height)
	return height, err
}

// TreeVersion implements store.NodeReader.
func (q Queries) TreeVersion(tenant int64) (version int64, err error) {
	err = q.tx.Row(`SELECT tree_version FROM tenant WHERE id = $1`, []any{tenant}, &version)
	return version, err
}

// EditionVersion implements store.NodeReader.
func (q Queries) EditionVersion(tenant int64) (version int64, err error) {
	err = q.tx.Row(`SELECT edition_version FROM tenant WHERE id = $1`, []any{tenant}, &version)
	return version, err
}

// AddNode implements store.NodeWriter.
func (q Queries) AddNode(n store.Node) (int64, error) {
	if err := q.tx.CheckTenant(n.Tenant); err != nil {
		return 0, err
	}
	n.Version = store.NewVersion()
	return q.tx.Insert(`INSERT INTO node (tenant, kind, parent, name, folded_name, url_name, period_from, period_to, version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		append([]any{n.Tenant, n.Kind}, changeable(n)...)...)
}

// SetNode is the statement of store.NodeWriter.SetNode; SetNodeArgs are its arguments.
const SetNode = `UPDATE node SET parent = $2, name = $3, folded_name = $4, url_name = $5, period_from = $6, period_to = $7, version = $8 WHERE id = $1`

func SetNodeArgs(n store.Node) []any { return append([]any{n.ID}, changeable(n)...) }

// changeable are the columns of a node that may change.
func changeable(n store.Node) []any {
	var parent *int64
	if n.Parent != 0 {
		parent = &n.Parent
	}
	from, to := PeriodColumns(n.Period)
	return []any{parent, n.Name, rules.Fold(n.Name), n.URLName, from, to, n.Version}
}

// InheritedSetting implements store.SettingReader.
func (q Queries) InheritedSetting(node int64, name string) (value string, found bool, err error) {
	err = q.tx.Row(q.upTo("value", "setting", "setting.node = at AND setting.name = $2")+` ORDER BY step LIMIT 1`, []any{node, name}, &value)
	return ifFound(value, err)
}

// ifFound tells a value that was not found from one that could not be read.
func ifFound(value string, err error) (string, bool, error) {
	if err == store.ErrNotFound {
		return "", false, nil
	}
	return value, err == nil, err
}

// InheritedSettings implements store.SettingReader.
func (q Queries) InheritedSettings(node int64) (map[string]string, error) {
	return q.settings(q.upTo("setting.name, setting.value", "setting", "setting.node = at")+` ORDER BY step DESC`, node)
}

// OwnSettings implements store.SettingReader.
func (q Queries) OwnSettings(node int64) (map[string]string, error) {
	return q.settings(`SELECT name, value FROM setting WHERE node = $1`, node)
}

func (q Queries) settings(query string, node int64) (map[string]string, error) {
	values := map[string]string{}
	err := q.tx.Each(query, []any{node}, func(scan func(...any) error) error {
		var name, value string
		err := scan(&name, &value)
		values[name] = value // the nearer ones come later
		return err
	})
	return values, err
}

// SetSetting implements store.SettingWriter.
func (q Queries) SetSetting(node int64, name, value string) error {
	err := q.tx.Change(`INSERT INTO setting (node, name, value) VALUES ($1, $2, $3) ON CONFLICT (node, name) DO UPDATE SET value = excluded.value`, node, name, value)
	return q.settingChanged(node, name, err)
}

// ClearSetting implements store.SettingWriter.
func (q Queries) ClearSetting(node int64, name string) error {
	return q.settingChanged(node, name, q.tx.Exec(`DELETE FROM setting WHERE node = $1 AND name = $2`, node, name))
}

func (q Queries) settingChanged(node int64, name string, err error) error {
	if err != nil || name != store.PublicSetting {
		return err
	}
	var parent int64
	if err := q.tx.Row(`SELECT coalesce(parent, 0) FROM node WHERE id = $1`, []any{node}, &parent); err != nil {
		return err
	}
	if err := q.InheritPublic(node, parent); err != nil {
		return err
	}
	return q.tx.Exec(`UPDATE tenant SET edition_version = $2 WHERE id = (SELECT tenant FROM node WHERE id = $1)`, node, store.NewVersion()) // trees with versions tell it
}

// InheritPublic brings up to date which nodes are not public when a node gets a value of its own, or a parent: this node, and those below
// it that inherit it.
func (q Queries) InheritPublic(node, parent int64) error {
	own := `coalesce((SELECT value FROM setting WHERE node = $1 AND name = 'public'), (SELECT 'false' FROM not_public WHERE node = $2), 'true')`
	changed := func(to, was string) string {
		return `WITH RECURSIVE heir (id) AS (
			SELECT CAST($1 AS bigint) WHERE ` + own + ` = '` + to + `' AND ` + was + ` EXISTS (SELECT 1 FROM not_public WHERE node = $1)
			UNION ALL SELECT node.id FROM heir JOIN node ON node.parent = heir.id
				WHERE NOT EXISTS (SELECT 1 FROM setting WHERE setting.node = node.id AND setting.name = 'public'))
			SELECT id FROM heir`
	}
	if err := q.tx.Exec(`INSERT INTO not_public (node) `+changed("false", "NOT"), node, parent); err != nil {
		return err
	}
	return q.tx.Exec(`DELETE FROM not_public WHERE node IN (`+changed("true", "")+`)`, node, parent)
}
