package service

import "paperfs/remote/service/store"

// located is a node with the way to it.
type located struct {
	store.Node
	way *way
}

// way is what an address is made of, which is made where it is written. A whole
// address has those of all categories above in it: to keep them for the nodes of a
// deep tree takes memory with the square of its depth.
type way struct {
	up      *way   // nil where the way begins
	segment string // where it begins, a whole address
}

func (w *way) to(n store.Node) *way { return &way{w, n.URLName} }

func (w *way) url() string {
	size := 0
	for at := w; at != nil; at = at.up {
		size += len(at.segment) + len("/")
	}
	url := make([]byte, size) // filled from its end
	for ; w.up != nil; w = w.up {
		size -= len("/")
		url[size] = '/'
		size -= len(w.segment)
		copy(url[size:], w.segment)
	}
	size -= len(w.segment)
	copy(url[size:], w.segment)
	return string(url[size:])
}

// locatedPaper finds a node that has to be a paper, with its address.
func (c *call) locatedPaper(tx store.Reader, id int64) (located, error) {
	paper, err := c.paper(tx, id)
	if err != nil {
		return located{}, err
	}
	url, err := c.address(tx, id)
	return located{paper, &way{segment: url}}, err
}

// walk visits a node and all below it in tree order. The path leads from the
// first node to the one visited; it is valid until visit returns.
func (c *call) walk(tx store.Reader, top store.Node, visit func(path []located) error) error {
	url, err := c.address(tx, top.ID)
	if err != nil {
		return err
	}
	var path []located
	return tx.Walk(top.ID, func(n store.Node, depth int) error {
		at := &way{segment: url}
		if path = path[:depth]; depth > 0 {
			at = path[depth-1].way.to(n)
		}
		path = append(path, located{n, at})
		return visit(path)
	})
}

func idsOf(nodes []located) []int64 {
	ids := make([]int64, len(nodes))
	for i, n := range nodes {
		ids[i] = n.ID
	}
	return ids
}

// locate returns those of the wanted nodes that are at or below top, in tree
// order.
func (c *call) locate(tx store.Reader, top store.Node, wanted func(id int64) bool) ([]located, error) {
	var found []located
	err := c.walk(tx, top, func(path []located) error {
		if at := path[len(path)-1]; wanted(at.ID) {
			found = append(found, at)
		}
		return nil
	})
	return found, err
}
