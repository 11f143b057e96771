package postgresstore

import (
	"math"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

// Walk implements store.NodeReader. One query reads all categories of the tree, which determine
// the order of the papers; the papers are read during the walk.
func (t *tx) Walk(id int64, visit func(store.Node, int) error) error {
	return t.walk(id, math.MaxInt, `0, 0`, visit)
}

func (t *tx) WalkVersions(id int64, visit func(store.Node, int) error) error {
	edition, err := t.Edition(id)
	if err != nil {
		return err
	}
	pages, err := t.PageCount(id)
	if err != nil {
		return err
	}
	return t.walk(id, math.MaxInt, `coalesce((SELECT number FROM edition WHERE edition.node = node.id), 0), `+lastPage, func(n store.Node, depth int) error {
		if depth == 0 {
			n.Edition, n.Pages = edition, pages
		}
		return visit(n, depth)
	})
}

const lastPage = `coalesce((SELECT max(number) FROM page WHERE page.node = node.id), 0)`

func (t *tx) WalkFilled(id int64, most int, visit func(store.Node, int) error) error {
	return t.walk(id, most, `0, `+lastPage, visit)
}

// walk is Walk for the first most nodes, with the edition and the pages of each paper by two expressions of SQL.
func (t *tx) walk(id int64, most int, more string, visit func(n store.Node, depth int) error) error {
	w := walk{tx: t, left: most, visit: visit, children: map[int64][]store.Node{}}
	top, found, err := w.categories(id)
	if err != nil || !found {
		return err
	}
	w.papers = papers{tx: t, most: most, extra: more, place: map[int64]int{}}
	w.papers.add(w.children, id)
	defer w.papers.close()
	if err := w.node(top, 0); err != store.Leave(0) {
		return err
	}
	return nil
}

// walk is the state of one walk through a tree.
type walk struct {
	*tx
	left     int // how many nodes may still be visited
	visit    func(n store.Node, depth int) error
	children map[int64][]store.Node // sorted categories, by parent
	papers   papers
}

// categories reads the node and the categories below it.
func (w *walk) categories(id int64) (top store.Node, found bool, err error) {
	var r records.NodeRow
	columns := r.Columns()
	err = w.Each(`WITH RECURSIVE below (id) AS (
			SELECT $1::bigint UNION ALL
			SELECT node.id FROM below JOIN node ON node.parent = below.id AND node.kind = 1)
		SELECT `+records.NodeColumns+` FROM below JOIN node ON node.id = below.id ORDER BY node.parent, node.folded_name, node.id`, []any{id},
		func(scan func(...any) error) error {
			if err := scan(columns...); err != nil {
				return err
			}
			if n := r.Node(); n.ID == id {
				top, found = n, true
			} else {
				w.children[n.Parent] = append(w.children[n.Parent], n)
			}
			return nil
		})
	return top, found, err
}

// node visits a node and its descendants.
func (w *walk) node(n store.Node, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.left == 0 {
		return store.Leave(0)
	}
	w.left--
	if err := w.visit(n, depth); err != nil || n.Kind != remote.CategoryNode {
		return err
	}
	for _, child := range w.children[n.ID] {
		if err := w.node(child, depth+1); err != nil && err != store.Leave(depth+1) {
			return err
		}
	}
	return w.papers.of(n.ID, func(paper store.Node) error {
		if w.left == 0 {
			return store.Leave(0)
		}
		w.left--
		if err := w.visit(paper, depth+1); err != nil && err != store.Leave(depth+1) {
			return err
		}
		return nil
	})
}
