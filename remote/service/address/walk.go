package address

import (
	"paperfs/remote/service/store"
)

// Place is a node of a tree with the path to it.
type Place struct {
	store.Node
	path *path
}

// path is the way from the node where a walk began to another node.
type path struct {
	parent  *path  // nil at the beginning
	segment string // at the beginning, a whole address
}

// At returns a node whose address is known.
func At(n store.Node, url string) Place { return Place{n, &path{segment: url}} }

func (p *path) to(n store.Node) *path { return &path{p, n.URLName} }

// URL returns the address of the node within its tenant.
func (n Place) URL() string {
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
func Walk(tx store.Reader, tenant store.Tenant, top store.Node, visit func(nodes []Place) error) error {
	url, err := Node(tx, tenant, top.ID)
	if err != nil {
		return err
	}
	var nodes []Place
	return tx.Walk(top.ID, func(n store.Node, depth int) error {
		at := &path{segment: url}
		if nodes = nodes[:depth]; depth > 0 {
			at = nodes[depth-1].path.to(n)
		}
		nodes = append(nodes, Place{n, at})
		return visit(nodes)
	})
}

// FindPlaces returns the wanted nodes at or below top, in tree order.
func FindPlaces(tx store.Reader, tenant store.Tenant, top store.Node, wanted func(id int64) bool) ([]Place, error) {
	var found []Place
	err := Walk(tx, tenant, top, func(nodes []Place) error {
		if at := nodes[len(nodes)-1]; wanted(at.ID) {
			found = append(found, at)
		}
		return nil
	})
	return found, err
}

// IDs returns the ids of nodes.
func IDs(nodes []Place) []int64 {
	ids := make([]int64, len(nodes))
	for i, n := range nodes {
		ids[i] = n.ID
	}
	return ids
}
