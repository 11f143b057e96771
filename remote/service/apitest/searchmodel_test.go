package apitest

import (
	"encoding/xml"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// searchModel is a tree with texts, searched by brute force.
type searchModel struct {
	nodes map[int64]*modelPaper
}

type modelPaper struct {
	id, parent int64
	category   bool
	name       string
	pages      []string
}

// below returns a node and its descendants in tree order.
func (m *searchModel) below(id int64) (all []*modelPaper) {
	all = append(all, m.nodes[id])
	var children []*modelPaper
	for _, n := range m.nodes {
		if n.parent == id {
			children = append(children, n)
		}
	}
	slices.SortFunc(children, func(a, b *modelPaper) int {
		switch {
		case a.category != b.category:
			if a.category {
				return -1
			}
			return 1
		case rules.Fold(a.name) != rules.Fold(b.name):
			return strings.Compare(rules.Fold(a.name), rules.Fold(b.name))
		}
		return int(a.id - b.id)
	})
	for _, c := range children {
		all = append(all, m.below(c.id)...)
	}
	return all
}

// pages returns the expected hits of a query.
func (m *searchModel) pages(id int64, query string) (all []string) {
	for _, n := range m.below(id) {
		for i, text := range n.pages {
			if strings.Contains(store.Phrase(text), store.Phrase(query)) {
				all = append(all, fmt.Sprintf("%d/%d", n.id, i+1))
			}
		}
	}
	return all
}

// papers returns the papers of these hits, with the categories above them.
func (m *searchModel) papers(id int64, query string) (all []string) {
	hits := map[int64]bool{}
	for _, hit := range m.pages(id, query) {
		paper, _, _ := strings.Cut(hit, "/")
		n, _ := strconv.ParseInt(paper, 10, 64)
		for ; n != id; n = m.nodes[n].parent {
			hits[n] = true
		}
	}
	for _, n := range m.below(id) {
		if hits[n.id] {
			all = append(all, fmt.Sprint(n.id))
		}
	}
	return all
}

// words are few and overlap, so that queries hit. Some change length when folded, or mean something
// in a query language.
var words = []string{"Blumen", "blume", "lumen", "ÜBER", "über", "ber", "K", "k", "ſ", "Straße", `"x"`, "100%", "_", "*", "a", "AND", "日本語", "σΣς", "] ]>", "NEAR(", "-1", "é"}

func drawText(t *rapid.T, most int) string {
	separator := rapid.SampledFrom([]string{" ", "\n", " \t ", ""})
	var b strings.Builder
	for _, w := range rapid.SliceOfN(rapid.SampledFrom(words), 1, most).Draw(t, "words") {
		b.WriteString(w + separator.Draw(t, "separator"))
	}
	return b.String()
}

// TestSearchAgainstModel checks that, after imports, replacements, moves and deletions, the index
// and the comparison both find what brute force finds, in tree order.
func TestSearchAgainstModel(t *testing.T) {
	t.Parallel()
	s := start(t) // one for all rounds: a search must not find papers of other rounds
	tries := 0
	rapid.Check(t, func(rt *rapid.T) {
		tries++
		s.setScanPages(rapid.SampledFrom([]int64{0, 1000}).Draw(rt, "scan"))
		w := &searchWorld{s: s, m: &searchModel{map[int64]*modelPaper{}}}
		w.root = number(t, s.category(s.root(), fmt.Sprint("try", tries)))
		w.m.nodes[w.root] = &modelPaper{id: w.root, category: true}
		rt.Repeat(map[string]func(*rapid.T){
			"category": w.addCategory, "paper": w.addPaper, "pages": w.setPages, "move": w.move, "delete": w.remove, "": w.check,
		})
	})
}

type searchWorld struct {
	s    *server
	m    *searchModel
	root int64
	made int
}

func number(t testing.TB, text string) int64 {
	return testrun.Must(strconv.ParseInt(text, 10, 64))(t)
}

func (w *searchWorld) draw(t *rapid.T, fit func(*modelPaper) bool) *modelPaper {
	var all []*modelPaper
	for _, n := range w.m.below(w.root) {
		if fit(n) {
			all = append(all, n)
		}
	}
	if len(all) == 0 {
		t.Skip("no such node")
	}
	return rapid.SampledFrom(all).Draw(t, "node")
}

func (w *searchWorld) add(t *rapid.T, op *remote.Operation, category bool) {
	parent := w.draw(t, func(n *modelPaper) bool { return n.category })
	w.made++
	name := rapid.SampledFrom([]string{"a", "B", "ä", "Ä", "b", "z"}).Draw(t, "name")
	r := w.s.must(op, "parentID", fmt.Sprint(parent.id), "name", name, "urlName", fmt.Sprint("n", w.made))
	id := number(w.s.t, r.attribute(w.s.t, "id"))
	w.m.nodes[id] = &modelPaper{id: id, parent: parent.id, category: category, name: name}
}

func (w *searchWorld) addCategory(t *rapid.T) { w.add(t, remote.CreateCategory, true) }
func (w *searchWorld) addPaper(t *rapid.T)    { w.add(t, remote.CreatePaper, false) }

func (w *searchWorld) setPages(t *rapid.T) {
	paper := w.draw(t, func(n *modelPaper) bool { return !n.category })
	paper.pages = nil
	var b strings.Builder
	fmt.Fprintf(&b, `<import><paper id="%d"><pages>`, paper.id)
	for i := range rapid.IntRange(0, 4).Draw(t, "pages") {
		text := drawText(t, 6)
		paper.pages = append(paper.pages, text)
		fmt.Fprintf(&b, `<page number="%d"><text>%s</text></page>`, i+1, html.EscapeString(text))
	}
	testrun.Must(w.s.importText(b.String() + `</pages></paper></import>`))(w.s.t)
}

func (w *searchWorld) move(t *rapid.T) {
	node := w.draw(t, func(n *modelPaper) bool { return n.id != w.root })
	below := w.m.below(node.id)
	to := w.draw(t, func(n *modelPaper) bool { return n.category && !slices.Contains(below, n) })
	w.s.must(remote.MovePaper, "sourcePaperID", fmt.Sprint(node.id), "destinationParentID", fmt.Sprint(to.id))
	node.parent = to.id
}

func (w *searchWorld) remove(t *rapid.T) {
	node := w.draw(t, func(n *modelPaper) bool { return n.id != w.root && len(w.m.below(n.id)) == 1 })
	w.s.must(remote.DeletePaper, "paperID", fmt.Sprint(node.id))
	delete(w.m.nodes, node.id)
}

func (w *searchWorld) check(t *rapid.T) {
	query := strings.TrimSpace(drawText(t, 3))
	if runes := []rune(query); rapid.Bool().Draw(t, "part") {
		from := rapid.IntRange(0, len(runes)-1).Draw(t, "from")
		query = strings.TrimSpace(string(runes[from:rapid.IntRange(from+1, len(runes)).Draw(t, "to")]))
	}
	if query == "" {
		return
	}
	node := w.draw(t, func(*modelPaper) bool { return true })
	r := w.s.must(remote.SearchPapersByContent, "query", query, "categoryOrPaperID", fmt.Sprint(node.id), "xmlOptions", "")
	require.Equal(t, w.m.pages(node.id, query), attributes(t, r, "paperID", "pageNumber"), "pages with %q below %d", query, node.id)
	if node.category {
		r = w.s.must(remote.SearchPapersWithHiearchyByContent, "query", query, "categoryID", fmt.Sprint(node.id), "xmlOptions", "")
		require.Equal(t, w.m.papers(node.id, query), attributes(t, r, "paperID"), "papers with %q below %d", query, node.id)
	}
}

// attributes returns these attributes of each element that has the first one, joined by slashes.
func attributes(t tester, r reply, names ...string) (all []string) {
	d := xml.NewDecoder(strings.NewReader(r.data))
	for {
		token, err := d.Token()
		if err != nil {
			return all
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		var values []string
		for _, name := range names {
			for _, at := range start.Attr {
				if at.Name.Local == name {
					values = append(values, at.Value)
				}
			}
		}
		if len(values) > 0 {
			all = append(all, strings.Join(values, "/"))
		}
	}
}
