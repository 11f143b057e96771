package postgresstore

import (
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

const nodeColumns = `node.id, node.tenant, coalesce(node.parent, 0), node.kind, node.name, node.url_name, node.period_from, node.period_to`

// nodeRow scans nodeColumns of successive rows.
type nodeRow struct {
	n        store.Node
	from, to *int64
}

func (r *nodeRow) columns(more ...any) []any {
	return append([]any{&r.n.ID, &r.n.Tenant, &r.n.Parent, &r.n.Kind, &r.n.Name, &r.n.URLName, &r.from, &r.to}, more...)
}

func (r *nodeRow) node() store.Node {
	r.n.Period = remote.Period{}
	if r.from != nil && r.to != nil {
		r.n.Period = remote.Period{From: time.Unix(*r.from, 0).UTC(), To: time.Unix(*r.to, 0).UTC()}
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
	return t.node(`SELECT `+nodeColumns+` FROM node WHERE id = $1 AND tenant = $2`, id, tenant)
}

func (t *tx) Child(parent int64, urlName string) (store.Node, error) {
	return t.node(`SELECT `+nodeColumns+` FROM node WHERE parent = $1 AND lower(url_name) = lower($2::text COLLATE "C")`, parent, urlName)
}

func (t *tx) Descend(tenant, from int64, urlNames []string) (store.Node, error) {
	return t.node(`WITH RECURSIVE down (at, step) AS (
			SELECT id, 0 FROM node WHERE id = $2 AND tenant = $1 UNION ALL
			SELECT node.id, step + 1 FROM down JOIN node ON node.parent = at AND lower(node.url_name) = lower(($3::text[])[step + 1] COLLATE "C"))
		SELECT `+nodeColumns+` FROM down JOIN node ON node.id = at WHERE step = cardinality($3::text[])`, tenant, from, nonNil(urlNames))
}

func (t *tx) Lineage(tenant int64, ids []int64, visit func(store.Node) error) error {
	var r nodeRow
	var id int64
	var there bool
	return t.each(`WITH RECURSIVE up (at) AS (
			SELECT unnest($2::bigint[]) UNION
			SELECT node.parent FROM up JOIN node ON node.id = at AND node.tenant = $1 WHERE node.parent IS NOT NULL)
		SELECT at, node.id IS NOT NULL, coalesce(node.id, 0), coalesce(node.tenant, 0), coalesce(node.parent, 0), coalesce(node.kind, 0::smallint),
			coalesce(node.name, ''), coalesce(node.url_name, ''), node.period_from, node.period_to
		FROM up LEFT JOIN node ON node.id = at AND node.tenant = $1 WHERE at <> 0`, []any{tenant, nonNil(ids)},
		func(scan func(...any) error) error {
			if err := scan(append([]any{&id, &there}, r.columns()...)...); err != nil {
				return err
			}
			if !there {
				return store.ErrNotFound
			}
			return visit(r.node())
		})
}

// ancestors lists the ids of a node and its ancestors with their distance.
const ancestors = `
	WITH RECURSIVE up (at, step) AS (
		SELECT $1::bigint, 0 UNION ALL
		SELECT node.parent, step + 1 FROM up JOIN node ON node.id = at WHERE node.parent IS NOT NULL)`

func (t *tx) Ancestors(id int64) ([]store.Node, error) {
	var r nodeRow
	return all(t, ancestors+`
		SELECT `+nodeColumns+` FROM up JOIN node ON node.id = at ORDER BY step`, []any{id}, func(scan func(...any) error, n *store.Node) error {
		err := scan(r.columns()...)
		*n = r.node()
		return err
	})
}

func (t *tx) HasChildren(id int64) (has bool, err error) {
	err = t.row(`SELECT EXISTS (SELECT 1 FROM node WHERE parent = $1)`, []any{id}, &has)
	return has, err
}

func (t *tx) Height(id int64, most int) (height int, err error) {
	err = t.row(`WITH RECURSIVE down (at, step) AS (
			SELECT id, 1 FROM node WHERE id = $1 AND kind = $2 UNION ALL
			SELECT node.id, step + 1 FROM down JOIN node ON node.parent = at AND node.kind = $2 WHERE step < $3)
		SELECT coalesce(max(step), 0) FROM down`, []any{id, remote.CategoryNode, most}, &height)
	return height, err
}

func (t *tx) TreeVersion(tenant int64) (version int64, err error) {
	if err := t.flush(); err != nil {
		return 0, err
	}
	err = t.row(`SELECT tree_version FROM tenant WHERE id = $1`, []any{tenant}, &version)
	return version, err
}

func (t *tx) AddNode(n store.Node) (int64, error) {
	if err := t.checkTenant(n.Tenant); err != nil {
		return 0, err
	}
	var parent *int64
	if n.Parent != 0 {
		parent = &n.Parent
	}
	from, to := periodColumns(n.Period)
	r := t.updateOf(n.Tenant)
	r.tree = true
	if n.Kind == remote.PaperNode {
		r.papers++
	}
	return t.insert(`INSERT INTO node (tenant, parent, kind, name, folded_name, url_name, period_from, period_to) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
		n.Tenant, parent, n.Kind, n.Name, rules.Fold(n.Name), n.URLName, from, to)
}

// changeNode runs a statement that must change a node. It returns the update of its tenant, and
// its kind.
func (t *tx) changeNode(query string, args ...any) (*tenantUpdate, remote.NodeKind, error) {
	var tenant int64
	var kind remote.NodeKind
	if err := t.row(query+` RETURNING tenant, kind`, args, &tenant, &kind); err != nil {
		return nil, 0, err
	}
	if err := t.checkTenant(tenant); err != nil {
		return nil, 0, err
	}
	r := t.updateOf(tenant)
	r.tree = true
	return r, kind, nil
}

func (t *tx) MoveNode(id, parent int64) error {
	_, _, err := t.changeNode(`UPDATE node SET parent = $2 WHERE id = $1`, id, parent)
	return err
}

func (t *tx) SetURLName(id int64, urlName string) error {
	_, _, err := t.changeNode(`UPDATE node SET url_name = $2 WHERE id = $1`, id, urlName)
	return err
}

func (t *tx) SetPeriod(id int64, p remote.Period) error {
	from, to := periodColumns(p)
	_, _, err := t.changeNode(`UPDATE node SET period_from = $2, period_to = $3 WHERE id = $1`, id, from, to)
	return err
}

func periodColumns(p remote.Period) (from, to *int64) {
	if p.IsZero() {
		return nil, nil
	}
	begin, end := p.From.Unix(), p.To.Unix()
	return &begin, &end
}

func (t *tx) DeleteNode(id int64) error {
	r, kind, err := t.changeNode(`DELETE FROM node WHERE id = $1`, id)
	if err == nil && kind == remote.PaperNode {
		r.papers--
	}
	return err
}

func (t *tx) InheritedSetting(node int64, name string) (value string, found bool, err error) {
	err = t.row(ancestors+`
		SELECT value FROM up JOIN setting ON setting.node = at AND setting.name = $2 ORDER BY step LIMIT 1`, []any{node, name}, &value)
	if err == store.ErrNotFound {
		return "", false, nil
	}
	return value, err == nil, err
}

func (t *tx) InheritedSettings(node int64) (map[string]string, error) {
	values := map[string]string{}
	var name, value string
	err := t.each(ancestors+`
		SELECT setting.name, setting.value FROM up JOIN setting ON setting.node = at ORDER BY step DESC`, []any{node}, func(scan func(...any) error) error {
		err := scan(&name, &value)
		values[name] = value // the nearer ones come later
		return err
	})
	return values, err
}

func (t *tx) SetSetting(node int64, name, value string) error {
	return t.change(`INSERT INTO setting (node, name, value) VALUES ($1, $2, $3) ON CONFLICT (node, name) DO UPDATE SET value = excluded.value`, node, name, value)
}

// below lists the ids of a node and all its descendants.
const below = `
	WITH RECURSIVE below (id) AS (
		SELECT $1::bigint UNION ALL SELECT node.id FROM below JOIN node ON node.parent = below.id)`
