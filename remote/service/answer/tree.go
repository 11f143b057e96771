package answer

import (
	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// Tree writes the node with the given address and all below it, while it reads them: a
// client that reads its answer slowly holds up the walk. The address grows and shrinks
// with the walk; no address is stored. versions adds the versions, editions and pages, and what is not public.
func Tree(tx store.Reader, w *Writer, id int64, url string, versions bool) error {
	t := treeWriter{w: w, url: []byte(url), versions: versions}
	b := Worker[visited]{Size: treeBatch, Work: t.visitAll}
	defer b.End()
	walk := tx.Walk
	if versions {
		walk = tx.WalkVersions
	}
	err := walk(id, func(n store.Node, depth int) error {
		b.Add(visited{n, depth})
		return nil
	})
	if err != nil {
		return err
	}
	b.End()
	t.leave(0)
	return nil
}

// treeWriter writes nodes as they come in depth-first order.
type treeWriter struct {
	w     *Writer
	url   []byte // address of the last node
	ends  []int  // length of the address at each open level
	attrs []Attr // of the last tag

	versions bool
}

// treeBatch is how many nodes treeWriter writes at a time.
const treeBatch = 256

type visited struct {
	node  store.Node
	depth int
}

func (t *treeWriter) visitAll(batch []visited) {
	for _, v := range batch {
		t.visit(v.node, v.depth)
	}
}

func (t *treeWriter) visit(n store.Node, depth int) {
	t.leave(depth)
	if depth > 0 {
		t.url = append(t.url[:t.ends[depth-1]], n.URLName...)
		t.url = append(t.url, '/')
	}
	t.ends = append(t.ends[:depth], len(t.url))
	if n.Kind == remote.PaperNode {
		t.w.Empty("paper", t.describe(n)...)
		t.ends = t.ends[:depth]
		return
	}
	t.w.Open("category", t.describe(n)...)
}

// leave ends the categories at the given depth and below.
func (t *treeWriter) leave(depth int) {
	for len(t.ends) > depth {
		t.w.Close("category")
		t.ends = t.ends[:len(t.ends)-1]
	}
}

func (t *treeWriter) describe(node store.Node) []Attr {
	t.attrs = append(t.attrs[:0], Int("id", node.ID), String("name", node.Name), String("url", string(t.url)))
	if p := node.Period; !p.IsZero() {
		t.attrs = append(t.attrs, String("publicationperiod-from", rules.FormatTime(p.From)), String("publicationperiod-to", rules.FormatTime(p.To)))
	}
	if t.versions {
		t.attrs = append(t.attrs, Int("version", node.Version))
		if node.NotPublic {
			t.attrs = append(t.attrs, String("public", "false"))
		}
		if node.Kind == remote.PaperNode {
			t.attrs = append(t.attrs, Int("edition", node.Edition))
			if node.Pages > 0 {
				t.attrs = append(t.attrs, Int("pages", int64(node.Pages)))
			}
		}
	}
	return t.attrs
}
