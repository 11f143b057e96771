package service

import (
	"cmp"
	"slices"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// places finds the way to nodes below one node, and their order in the tree,
// from the nodes upwards: what it costs depends on how many they are and not
// on how many others there are.
type places struct {
	nodes map[int64]store.Node // that may be on a way
	known map[int64]*place
}

type place struct {
	located
	folded string // name, as it is sorted
	up     *place // nil for the top
	depth  int    // 0 for the top
}

// visitInOrder visits nodes at or below top in tree order. The path leads from
// top to the node visited; it is valid until visit returns.
func (c *call) visitInOrder(tx store.Reader, top store.Node, ids []int64, visit func(path []located) error) error {
	url, err := c.address(tx, top.ID)
	if err != nil {
		return err
	}
	p := places{map[int64]store.Node{}, map[int64]*place{top.ID: {located: located{top, &way{segment: url}}}}}
	err = tx.Lineage(c.tenant.ID, ids, func(n store.Node) error {
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
	var path []located
	for _, at := range all {
		path = slices.Grow(path[:0], at.depth+1)[:at.depth+1]
		for step := at; step != nil; step = step.up {
			path[step.depth] = step.located
		}
		if err := visit(path); err != nil {
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
	up, err := p.find(node.Parent)
	if err != nil {
		return nil, err
	}
	at := &place{located{node, up.way.to(node)}, rules.Fold(node.Name), up, up.depth + 1}
	p.known[id] = at
	return at, nil
}

// compare is the order of Walk.
func (p *place) compare(q *place) int {
	longer := cmp.Compare(p.depth, q.depth) // decides where one lies below the other
	for p.depth > q.depth {
		p = p.up
	}
	for q.depth > p.depth {
		q = q.up
	}
	if p == q {
		return longer
	}
	for p.up != q.up {
		p, q = p.up, q.up
	}
	return cmp.Or(cmp.Compare(p.Kind, q.Kind), cmp.Compare(p.folded, q.folded), cmp.Compare(p.ID, q.ID))
}
