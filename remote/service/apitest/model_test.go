package apitest

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// model is a simple model of the tree that the contract describes.
type model struct {
	t     *rapid.T
	s     *server
	nodes map[int64]*modelNode
	gone  int64 // a deleted id, or 0
}

type modelNode struct {
	id, parent int64
	category   bool
	name, url  string // url is the url name
	period     bool
}

// TestTreeAgainstModel makes random changes and compares codes and trees.
func TestTreeAgainstModel(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.setSpoolFrom(0)
	root, round := s.root(), 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		top, err := strconv.ParseInt(s.category(root, fmt.Sprintf("round-%d", round)), 10, 64)
		require.NoError(rt, err)
		m := &model{t: rt, s: s, nodes: map[int64]*modelNode{top: {id: top, category: true, name: fmt.Sprintf("round-%d", round), url: fmt.Sprintf("round-%d", round)}}}
		rt.Repeat(map[string]func(*rapid.T){
			"category": func(*rapid.T) { m.create(remote.CreateCategory, true) },
			"paper":    func(*rapid.T) { m.create(remote.CreatePaper, false) },
			"move":     func(*rapid.T) { m.move(top) },
			"url":      func(*rapid.T) { m.changeURL(top) },
			"delete":   func(*rapid.T) { m.delete(top) },
			"period":   func(*rapid.T) { m.setPeriod() },
			"":         func(*rapid.T) { m.compare(top) },
		})
	})
}

// fewChecks reduces the checks of tests that send dozens of requests in each: to an eighth in a run that has time for everything, and
// otherwise further. -rapid.checks overrides that for a long run. It is called before any test, since tests that run side by side read
// the flag.
func fewChecks() {
	few := "6"
	if testrun.All() {
		few = "12"
	}
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		_ = flag.Set("rapid.checks", few) // package rapid has defined it
	}
}

func (m *model) anyID() int64 {
	ids := []int64{}
	for id := range m.nodes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if m.gone != 0 {
		ids = append(ids, m.gone)
	}
	return rapid.SampledFrom(ids).Draw(m.t, "id")
}

func (m *model) anyURL() string {
	return rapid.SampledFrom([]string{"a", "A", "b", "c", "..", ""}).Draw(m.t, "url")
}

// expect calls the operation and requires the expected code.
func (m *model) expect(code remote.Code, op *remote.Operation, pairs ...string) reply {
	r := m.s.call(op, pairs...)
	require.Equal(m.t, code, r.code, "%s %v: %s", op.Name, pairs, r.words)
	return r
}

func goodURL(url string) bool { return url != "" && url != ".." }

// taken reports whether parent has a child other than id with this url name.
func (m *model) taken(parent, id int64, url string) bool {
	for _, n := range m.nodes {
		if n.parent == parent && n.id != id && strings.EqualFold(n.url, url) {
			return true
		}
	}
	return false
}

func (m *model) create(op *remote.Operation, category bool) {
	parent, url := m.anyID(), m.anyURL()
	name := rapid.SampledFrom([]string{"x", "X", "y & z", "Éa", "éb", "10", "9"}).Draw(m.t, "name")
	code := remote.Success
	switch p := m.nodes[parent]; {
	case !goodURL(url):
		code = remote.Failure
	case p == nil:
		code = remote.PaperDoesNotExist
	case !p.category || m.taken(parent, 0, url):
		code = remote.Failure
	}
	r := m.expect(code, op, "parentID", fmt.Sprint(parent), "name", name, "urlName", url)
	if code == remote.Success {
		id, err := strconv.ParseInt(r.attribute(m.t, "id"), 10, 64)
		require.NoError(m.t, err)
		require.Nil(m.t, m.nodes[id])
		require.Greater(m.t, id, m.gone)
		m.nodes[id] = &modelNode{id: id, parent: parent, category: category, name: name, url: url}
	}
}

func (m *model) move(top int64) {
	source, destination := m.anyID(), m.anyID()
	if source == top { // its parent is not part of the model
		return
	}
	code := remote.Success
	n, d := m.nodes[source], m.nodes[destination]
	switch {
	case n == nil || d == nil:
		code = remote.PaperDoesNotExist
	case !d.category || m.below(destination, source) || m.taken(destination, source, n.url):
		code = remote.Failure
	}
	m.expect(code, remote.MovePaper, "sourcePaperID", fmt.Sprint(source), "destinationParentID", fmt.Sprint(destination))
	if code == remote.Success {
		n.parent = destination
	}
}

// below reports whether above is id or an ancestor of id.
func (m *model) below(id, above int64) bool {
	for ; id != 0; id = m.nodes[id].parent {
		if id == above {
			return true
		}
	}
	return false
}

func (m *model) changeURL(top int64) {
	id, url := m.anyID(), m.anyURL()
	if id == top {
		return
	}
	code := remote.Success
	n := m.nodes[id]
	switch {
	case !goodURL(url): // a value is checked before the node is looked up
		code = remote.Failure
	case n == nil:
		code = remote.PaperDoesNotExist
	case m.taken(n.parent, id, url):
		code = remote.Failure
	}
	newURL := url
	if n != nil && goodURL(url) && rapid.Bool().Draw(m.t, "full") {
		newURL = strings.ToUpper(m.address(n.parent)) + url + "/"
	}
	m.expect(code, remote.ChangePaperUrl, "paperID", fmt.Sprint(id), "newUrl", newURL)
	if code == remote.Success {
		n.url = url
	}
}

func (m *model) delete(top int64) {
	id := m.anyID()
	if id == top {
		return
	}
	code := remote.Success
	if m.nodes[id] == nil {
		code = remote.PaperDoesNotExist
	} else if len(m.children(id)) > 0 {
		code = remote.Failure
	}
	m.expect(code, remote.DeletePaper, "paperID", fmt.Sprint(id))
	if code == remote.Success {
		delete(m.nodes, id)
		m.gone = id
	}
}

func (m *model) setPeriod() {
	id := m.anyID()
	on := rapid.Bool().Draw(m.t, "set")
	op, pairs := remote.ClearPublicationPeriod, []string{"paperID", fmt.Sprint(id)}
	if on {
		op, pairs = remote.SetPublicationPeriod, append(pairs, "from", "2031-01-01", "to", "2032-01-01")
	}
	n := m.nodes[id]
	switch {
	case n == nil:
		m.expect(remote.PaperDoesNotExist, op, pairs...)
	case n.category:
		m.expect(remote.PaperMustNotBeCategory, op, pairs...)
	default:
		m.expect(remote.Success, op, pairs...)
		n.period = on
	}
}

func (m *model) children(id int64) []*modelNode {
	var all []*modelNode
	for _, n := range m.nodes {
		if n.parent == id {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *modelNode) int {
		if a.category != b.category {
			if a.category {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(strings.ToUpper(a.name), strings.ToUpper(b.name)), cmp.Compare(a.id, b.id))
	})
	return all
}

func (m *model) address(id int64) string {
	if id == 0 {
		return "/"
	}
	return m.address(m.nodes[id].parent) + m.nodes[id].url + "/"
}

// render returns the answer of GetAllPapers for a node, without line breaks.
func (m *model) render(b *strings.Builder, n *modelNode) {
	kind := "paper"
	if n.category {
		kind = "category"
	}
	fmt.Fprintf(b, `<%s id="%d" name="%s" url="%s"`, kind, n.id, strings.ReplaceAll(n.name, "&", "&amp;"), m.address(n.id))
	if n.period {
		b.WriteString(` publicationperiod-from="2031-01-01 00:00:00" publicationperiod-to="2032-01-01 00:00:00"`)
	}
	children := m.children(n.id)
	if len(children) == 0 {
		b.WriteString(" />")
		return
	}
	b.WriteString(">")
	for _, child := range children {
		m.render(b, child)
	}
	b.WriteString("</category>")
}

func (m *model) compare(top int64) {
	var want strings.Builder
	m.render(&want, m.nodes[top])
	r := m.expect(remote.Success, remote.GetAllPapers, "paperID", fmt.Sprint(top))
	require.Equal(m.t, want.String(), strings.ReplaceAll(r.data, "\n", ""))
	n := m.nodes[m.anyKept()]
	r = m.expect(remote.Success, remote.GetPaperIDFromUrl, "url", strings.ToUpper(m.address(n.id)))
	require.Equal(m.t, fmt.Sprint(n.id), r.attribute(m.t, "id"))
	r = m.expect(remote.Success, remote.GetPaperUrlFromID, "paperID", fmt.Sprint(n.id))
	require.Equal(m.t, m.address(n.id), r.attribute(m.t, "url"))
}

func (m *model) anyKept() int64 {
	for {
		if id := m.anyID(); m.nodes[id] != nil {
			return id
		}
	}
}
