package postgresstore

import (
	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

func (t *tx) Child(parent int64, urlName string) (store.Node, error) {
	return t.FindNode(`SELECT `+records.NodeColumns+` FROM node WHERE parent = $1 AND lower(url_name) = lower($2::text COLLATE "C")`, parent, urlName)
}

func (t *tx) Descend(tenant, from int64, urlNames []string) (store.Node, error) {
	return t.FindNode(`WITH RECURSIVE down (at, step) AS (
			SELECT id, 0 FROM node WHERE id = $2 AND tenant = $1 UNION ALL
			SELECT node.id, step + 1 FROM down `+beside("node", `node.parent = at AND lower(node.url_name) = lower(($3::text[])[step + 1] COLLATE "C")`)+`)
		SELECT `+records.NodeColumns+` FROM down JOIN node ON node.id = at WHERE step = cardinality($3::text[])`, tenant, from, nonNil(urlNames))
}

func (t *tx) Lineage(tenant int64, ids []int64, visit func(store.Node) error) error {
	var r records.NodeRow
	var id int64
	var there bool
	return t.Each(`WITH RECURSIVE up (at) AS (
			SELECT unnest($2::bigint[]) UNION
			SELECT node.parent FROM up `+beside("node", "node.id = at AND node.tenant = $1")+` WHERE node.parent IS NOT NULL)
		SELECT at, node.id IS NOT NULL, coalesce(node.id, 0), coalesce(node.tenant, 0), coalesce(node.parent, 0), coalesce(node.kind, 0::smallint),
			coalesce(node.name, ''), coalesce(node.url_name, ''), node.period_from, node.period_to, coalesce(node.version, 0), `+records.NotPublic+`
		FROM up LEFT `+beside("node", "node.id = at AND node.tenant = $1")+` WHERE at <> 0`, []any{tenant, nonNil(ids)},
		func(scan func(...any) error) error {
			if err := scan(append([]any{&id, &there}, r.Columns()...)...); err != nil {
				return err
			}
			if !there {
				return store.ErrNotFound
			}
			return visit(r.Node())
		})
}

func (t *tx) TreeVersion(tenant int64) (version int64, err error) {
	if err := t.flush(); err != nil {
		return 0, err
	}
	return t.Queries.TreeVersion(tenant)
}

func (t *tx) EditionVersion(tenant int64) (version int64, err error) {
	if err := t.flush(); err != nil {
		return 0, err
	}
	return t.Queries.EditionVersion(tenant)
}

func (t *tx) AddNode(n store.Node) (int64, error) {
	r := t.updateOf(n.Tenant)
	r.tree = true
	if n.Kind == remote.PaperNode {
		r.papers++
	}
	return t.Queries.AddNode(n)
}

// changeNode runs a statement that must change a node. It returns the update of its tenant, and
// its kind.
func (t *tx) changeNode(query string, args ...any) (*tenantUpdate, remote.NodeKind, error) {
	var tenant int64
	var kind remote.NodeKind
	if err := t.Row(query+` RETURNING tenant, kind`, args, &tenant, &kind); err != nil {
		return nil, 0, err
	}
	if err := t.CheckTenant(tenant); err != nil {
		return nil, 0, err
	}
	r := t.updateOf(tenant)
	r.tree = true
	return r, kind, nil
}

func (t *tx) SetNode(n store.Node) (int64, error) {
	n.Version = store.NewVersion()
	if _, _, err := t.changeNode(records.SetNode, records.SetNodeArgs(n)...); err != nil {
		return 0, err
	}
	return n.Version, t.InheritPublic(n.ID, n.Parent)
}

func (t *tx) DeleteNode(id int64) error {
	r, kind, err := t.changeNode(`DELETE FROM node WHERE id = $1`, id)
	if err == nil && kind == remote.PaperNode {
		r.papers--
	}
	return err
}

func (t *tx) KeepNode(id int64, by store.By) error {
	r, kind, err := t.changeNode(`UPDATE node SET name = name WHERE id = $1`, id)
	if err == nil && kind == remote.PaperNode {
		r.papers--
	}
	if err != nil {
		return err
	}
	return t.Queries.KeepNode(id, by)
}

func (t *tx) ReturnNode(n store.Node) (int64, error) {
	version, err := t.Queries.ReturnNode(n)
	r := t.updateOf(n.Tenant)
	if r.tree = true; n.Kind == remote.PaperNode {
		r.papers++
	}
	return version, err
}
