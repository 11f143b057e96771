package address

import (
	"cmp"
	"slices"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// places finds the paths to nodes below one node, and their order in the tree, from the
// nodes upwards: the cost depends on how many nodes are asked for, not on the size of
// the tree.
type places struct {
	nodes map[int64]store.Node // the nodes asked for, and those above them
	known map[int64]*place
}

type place struct {
	Place
	folded string // name, as the tree sorts it
	parent *place // nil for the top
	depth  int    // 0 for the top
}

// InOrder visits the nodes with the given ids, at or below top, in tree order. The nodes
// passed to visit lead from top to the one visited; the slice is valid until visit
// returns.
func InOrder(tx store.Reader, tenant store.Tenant, top store.Node, ids []int64, visit func(nodes []Place) error) error {
	url, err := Node(tx, tenant, top.ID)
	if err != nil {
		return err
	}
	p := places{map[int64]store.Node{}, map[int64]*place{top.ID: {Place: At(top, url)}}}
	err = tx.Lineage(tenant.ID, ids, func(n store.Node) error {
		p.nodes[n.ID] = n
		return nil
	})
	if err != nil {
		return err
	}
	all := make([]*place, 0, len(ids))
	for _, id := range ids {
		at, err := p.find(id)
		if err != nil {
			return err
		}
		all = append(all, at)
	}
	slices.SortFunc(all, (*place).compare)
	var nodes []Place
	for _, at := range all {
		nodes = slices.Grow(nodes[:0], at.depth+1)[:at.depth+1]
		for step := at; step != nil; step = step.parent {
			nodes[step.depth] = step.Place
		}
		if err := visit(nodes); err != nil {
			return err
		}
	}
	return nil
}

func (p *places) find(id int64) (*place, error) {
	if at := p.known[id]; at != nil {
		return at, nil
	}
	node, ok := p.nodes[id]
	if !ok {
		return nil, store.ErrNotFound
	}
	parent, err := p.find(node.Parent)
	if err != nil {
		return nil, err
	}
	at := &place{Place{node, parent.path.to(node)}, rules.Fold(node.Name), parent, parent.depth + 1}
	p.known[id] = at
	return at, nil
}

// compare orders places as the store's Walk does.
func (p *place) compare(q *place) int {
	longer := cmp.Compare(p.depth, q.depth) // decides if one is below the other
	for p.depth > q.depth {
		p = p.parent
	}
	for q.depth > p.depth {
		q = q.parent
	}
	if p == q {
		return longer
	}
	for p.parent != q.parent {
		p, q = p.parent, q.parent
	}
	return cmp.Or(cmp.Compare(p.Kind, q.Kind), cmp.Compare(p.folded, q.folded), cmp.Compare(p.ID, q.ID))
}
