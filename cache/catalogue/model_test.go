package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// model is a tree in the plainest form. Tests compare snapshots with it, and the fake service
// serves it.
type model struct {
	nodes map[int64]remote.Node // with their current addresses
	root  int64
	next  int64
}

var awkward = []string{"Äpfel", "K", "\u212a", "k", "\u017f", "s", "a", "A", "\xff", "x/y", "", "日本", "~12"}

func genPeriod() *rapid.Generator[remote.Period] {
	return rapid.Custom(func(t *rapid.T) remote.Period {
		if rapid.Bool().Draw(t, "no period") {
			return remote.Period{}
		}
		from := time.Unix(rapid.Int64Range(-2e9, 4e9).Draw(t, "from"), 0).UTC()
		return remote.Period{From: from, To: from.Add(time.Hour)}
	})
}

func genName() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(awkward), rapid.StringN(1, 8, -1))
}

func genModel() *rapid.Generator[*model] {
	return rapid.Custom(func(t *rapid.T) *model {
		m := &model{nodes: map[int64]remote.Node{}, root: 5, next: 6}
		m.nodes[5] = remote.Node{ID: 5, Kind: remote.CategoryNode, Name: "Root",
			URL: rapid.SampledFrom([]string{"/", "/Acme/", "/shop/Acme/"}).Draw(t, "root")}
		for range rapid.IntRange(0, 25).Draw(t, "nodes") {
			m.add(t)
		}
		return m
	})
}

func (m *model) pick(t *rapid.T, label string, kinds ...remote.NodeKind) int64 {
	var ids []int64
	for id, n := range m.nodes {
		if len(kinds) == 0 || slices.Contains(kinds, n.Kind) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return rapid.SampledFrom(ids).Draw(t, label)
}

func (m *model) add(t *rapid.T) remote.Node {
	parent := m.nodes[m.pick(t, "parent", remote.CategoryNode)]
	id := m.next
	m.next += rapid.Int64Range(1, 3).Draw(t, "gap")
	n := remote.Node{ID: id, Parent: parent.ID, Name: genName().Draw(t, "name"),
		Kind: rapid.SampledFrom([]remote.NodeKind{remote.CategoryNode, remote.PaperNode}).Draw(t, "kind"),
		URL:  parent.URL + m.segment(t) + "/"}
	if n.Kind == remote.PaperNode {
		n.Period = genPeriod().Draw(t, "period")
	}
	m.nodes[id] = n
	return n
}

// segment returns a segment that no other node has, in any case.
func (m *model) segment(t *rapid.T) string {
	return fmt.Sprint(rapid.SampledFrom([]string{"a", "A", "Äk", "KS~"}).Draw(t, "segment"), m.next)
}

func (m *model) children(id int64) []remote.Node {
	var children []remote.Node
	for _, n := range m.nodes {
		if n.Parent == id && n.ID != m.root {
			children = append(children, n)
		}
	}
	slices.SortFunc(children, func(a, b remote.Node) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(rules.Fold(a.Name), rules.Fold(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	return children
}

func (m *model) visit(id int64, fn func(remote.Node) error) error {
	if err := fn(m.nodes[id]); err != nil {
		return err
	}
	for _, child := range m.children(id) {
		if err := m.visit(child.ID, fn); err != nil {
			return err
		}
	}
	return nil
}

func (m *model) snapshot(old *Snapshot, at time.Time) *Snapshot {
	b := newBuilder(old, at)
	if err := m.visit(m.root, b.add); err != nil {
		panic(err)
	}
	base, err := b.finish()
	if err != nil {
		panic(err)
	}
	return newSnapshot(base, at)
}

func (m *model) below(id, top int64) bool {
	for ; id != 0; id = m.nodes[id].Parent {
		if id == top {
			return true
		}
	}
	return false
}

// readdress sets the address of a node and of its descendants.
func (m *model) readdress(id int64, address string) {
	n := m.nodes[id]
	was := n.URL
	n.URL = address
	m.nodes[id] = n
	for _, child := range m.children(id) {
		m.readdress(child.ID, address+strings.TrimPrefix(child.URL, was))
	}
}

func (m *model) move(id, destination int64) {
	n := m.nodes[id]
	n.Parent = destination
	m.nodes[id] = n
	m.readdress(id, m.nodes[destination].URL+lastSegment(n.URL)+"/")
}

func (m *model) rename(id int64, name string) {
	n := m.nodes[id]
	n.Name = name
	m.nodes[id] = n
}

func (m *model) changeURL(id int64, segment string) {
	m.readdress(id, m.nodes[m.nodes[id].Parent].URL+segment+"/")
}

func (m *model) remove(id int64) {
	for _, child := range m.children(id) {
		m.remove(child.ID)
	}
	delete(m.nodes, id)
}

// step changes the model at random and returns the same change for a snapshot.
func (m *model) step(t *rapid.T, at time.Time) change {
	id := m.pick(t, "node")
	switch rapid.SampledFrom([]string{"create", "move", "rename", "url", "period", "delete"}).Draw(t, "step") {
	case "create":
		return created(m.add(t), at)
	case "move":
		destination := m.pick(t, "destination", remote.CategoryNode)
		if id != m.root && !m.below(destination, id) {
			m.move(id, destination)
		}
		return moved(id, destination, "", 0)
	case "rename":
		destination, name := m.pick(t, "destination", remote.CategoryNode), genName().Draw(t, "name")
		if id != m.root && !m.below(destination, id) {
			m.move(id, destination)
			m.rename(id, cmp.Or(name, m.nodes[id].Name))
		}
		return moved(id, destination, name, 0)
	case "url":
		m.next++
		segment := m.segment(t)
		if id != m.root {
			m.changeURL(id, segment)
		}
		return readdressed(id, segment)
	case "period":
		n := m.nodes[id]
		n.Period = genPeriod().Draw(t, "period")
		if n.Kind == remote.CategoryNode {
			n.Period = remote.Period{}
		}
		m.nodes[id] = n
		return scheduled(id, n.Period)
	default:
		if id != m.root {
			m.remove(id)
		}
		return deleted(id)
	}
}
