package location

import (
	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// Node is a node of a tree with the path to it.
type Node struct {
	store.Node
	path *path
}

// path is the way from the node where a walk began to another node.
type path struct {
	parent  *path  // nil at the beginning
	segment string // at the beginning, a whole address
}

// At returns a node whose address is known.
func At(n store.Node, url string) Node { return Node{n, &path{segment: url}} }

func (p *path) to(n store.Node) *path { return &path{p, n.URLName} }

// URL returns the address of the node within its tenant.
func (n Node) URL() string {
	size := 0
	for at := n.path; at != nil; at = at.parent {
		size += len(at.segment) + len("/")
	}
	url := make([]byte, size) // filled from its end
	at := n.path
	for ; at.parent != nil; at = at.parent {
		size -= len("/")
		url[size] = '/'
		size -= len(at.segment)
		copy(url[size:], at.segment)
	}
	size -= len(at.segment)
	copy(url[size:], at.segment)
	return string(url[size:])
}

// Walk visits a node and all below it in tree order. The nodes passed to visit lead from
// top to the one visited; the slice is valid until visit returns.
func Walk(tx store.Reader, tenant store.Tenant, top store.Node, visit func(nodes []Node) error) error {
	url, err := address.Node(tx, tenant, top.ID)
	if err != nil {
		return err
	}
	var nodes []Node
	return tx.Walk(top.ID, func(n store.Node, depth int) error {
		at := &path{segment: url}
		if nodes = nodes[:depth]; depth > 0 {
			at = nodes[depth-1].path.to(n)
		}
		nodes = append(nodes, Node{n, at})
		return visit(nodes)
	})
}

// Find returns the wanted nodes at or below top, in tree order.
func Find(tx store.Reader, tenant store.Tenant, top store.Node, wanted func(id int64) bool) ([]Node, error) {
	var found []Node
	err := Walk(tx, tenant, top, func(nodes []Node) error {
		if at := nodes[len(nodes)-1]; wanted(at.ID) {
			found = append(found, at)
		}
		return nil
	})
	return found, err
}

// IDs returns the ids of nodes.
func IDs(nodes []Node) []int64 {
	ids := make([]int64, len(nodes))
	for i, n := range nodes {
		ids[i] = n.ID
	}
	return ids
}
