package papers

import (
	"strings"

	"paperfs/cache/catalogue"
	"paperfs/remote"
)

// listing is the names of one category's children, in one version of the
// catalogue.
type listing struct {
	version  uint64
	children []remote.Node
	names    []string       // names[i] is shown for children[i]
	index    map[string]int // name to position
}

// list names the children of a category. The result is kept until the
// catalogue changes.
func (t *Tree) list(s *catalogue.Snapshot, id int64) *listing {
	if l, ok := t.listings.Get(id); ok && l.version == s.Version() {
		return l
	}
	l := newListing(s, id)
	t.listings.Add(id, l)
	return l
}

func newListing(s *catalogue.Snapshot, id int64) *listing {
	children := s.Children(id)
	l := &listing{version: s.Version(), children: children, names: show(children), index: make(map[string]int, len(children))}
	for i, name := range l.names {
		l.index[name] = i
	}
	return l
}

// find is the child that is shown under a name.
func (l *listing) find(name string) (remote.Node, bool) {
	i, ok := l.index[name]
	if !ok {
		return remote.Node{}, false
	}
	return l.children[i], true
}

// nameOf is the name that a child is shown under.
func (l *listing) nameOf(id int64) (string, bool) {
	for i, n := range l.children {
		if n.ID == id {
			return l.names[i], true
		}
	}
	return "", false
}

// takes reports whether a new child would be shown under name.
func (l *listing) takes(name string, kind remote.NodeKind, text string) bool {
	grown := append(l.children[:len(l.children):len(l.children)], remote.Node{Kind: kind, Name: text})
	names := show(grown)
	return names[len(names)-1] == name
}

// path is where a node is shown, from the mount's root and without a leading
// slash: papers/A/B.paper. It is empty for what the catalogue lacks.
func (t *Tree) path(s *catalogue.Snapshot, id int64) string {
	var parts []string
	for id != s.Root().ID {
		n, ok := s.Node(id)
		if !ok {
			return ""
		}
		name, ok := t.list(s, n.Parent).nameOf(id)
		if !ok {
			return ""
		}
		parts = append(parts, name)
		id = n.Parent
	}
	parts = append(parts, "papers")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, "/")
}

// target is a relative link to a node from a directory that many levels below
// the mount's root. What the catalogue does not have is reached by its id.
func (t *Tree) target(levels int, id int64, below string) string {
	up := strings.Repeat("../", levels)
	if s := t.Catalogue.Peek(); s != nil {
		if p := t.path(s, id); p != "" {
			return up + p + below
		}
	}
	return up + "by-id/" + decimal(id) + below
}
