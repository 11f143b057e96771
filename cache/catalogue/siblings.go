package catalogue

import (
	"time"

	"paperfs/remote"
)

// siblings iterates over the children of a category, in order: the unchanged ones of the
// base, merged with those of the overlay.
type siblings struct {
	s         *Snapshot
	node, end int32 // the next child in the base, and the end of the category's subtree
	children  []int64
	extended  bool // the overlay has children of this category
}

func (s *Snapshot) siblings(id int64) siblings {
	children := s.overlay.children[id]
	list := siblings{s: s, children: children, extended: len(children) > 0}
	if node := s.base.find(id); node >= 0 {
		list.node, list.end = node+1, node+s.base.nodes.at(node).size()
	}
	return list
}

// next returns the next child and its number in the base, or -1 if it is from the overlay.
func (l *siblings) next() (it item, node int32, ok bool) {
	for ; l.node < l.end; l.node += l.s.base.nodes.at(l.node).size() {
		if _, changed := l.s.overlay.items[l.s.base.id(l.node)]; changed {
			continue
		}
		node, it = l.node, l.s.base.item(l.node)
		if len(l.children) > 0 && before(l.s.overlay.items[l.children[0]], it) {
			return l.child(), -1, true
		}
		l.node += l.s.base.nodes.at(node).size()
		return it, node, true
	}
	if len(l.children) > 0 {
		return l.child(), -1, true
	}
	return item{}, -1, false
}

func (l *siblings) child() item {
	it := l.s.overlay.items[l.children[0]]
	l.children = l.children[1:]
	return it
}

// eachChild calls fn for the children in order until fn returns false.
func (s *Snapshot) eachChild(id int64, fn func(item) bool) {
	list := s.siblings(id)
	for it, _, ok := list.next(); ok && fn(it); it, _, ok = list.next() {
	}
}

func (s *Snapshot) hasChildren(id int64) bool {
	found := false
	s.eachChild(id, func(item) bool {
		found = true
		return false
	})
	return found
}

// Children returns the children of a category: categories, then papers, each by name, in
// the service's order. For a paper or an unknown id it returns nil. The caller must not
// modify the slice.
func (s *Snapshot) Children(id int64) []remote.Node {
	it, ok := s.item(id)
	if !ok || it.kind != remote.CategoryNode {
		return nil
	}
	address := s.address(it)
	var children []remote.Node
	s.eachChild(id, func(child item) bool {
		children = append(children, child.node(addressOf(child, address)))
		return true
	})
	return children
}

// Children iterates over the children of a category.
type Children struct{ list siblings }

// Child is a child of a category, without its address.
type Child struct {
	remote.Node
	// Alone means that no sibling of the same kind has its name. If it is false, one may.
	Alone bool
	Seen  time.Time // when a mount of this account first saw it, to the second
}

// EachChild returns an iterator over the children of a category, in order. For a paper or
// an unknown node it is empty.
func (s *Snapshot) EachChild(id int64) Children { return Children{s.siblings(id)} }

// Next returns the next child.
func (c *Children) Next() (Child, bool) {
	it, node, ok := c.list.next()
	if !ok {
		return Child{}, false
	}
	alone := node >= 0 && !c.list.extended && !c.list.s.base.namesakes.has(node)
	return Child{Node: it.withoutAddress(), Alone: alone, Seen: it.firstSeen()}, true
}
