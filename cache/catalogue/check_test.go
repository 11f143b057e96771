package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"paperfs/remote"
)

// check returns the first broken invariant of a snapshot.
func (s *Snapshot) check() error {
	seen := map[int64]bool{}
	var broken error
	fail := func(format string, arguments ...any) bool {
		broken = fmt.Errorf(format, arguments...)
		return false
	}
	root := s.Root()
	if root.Parent != 0 || root.Kind != remote.CategoryNode {
		return fmt.Errorf("the root is %+v", root)
	}
	s.Walk(root.ID, func(n remote.Node) bool {
		if seen[n.ID] {
			return fail("node %d is met twice", n.ID)
		}
		seen[n.ID] = true
		if same, ok := s.Node(n.ID); !ok || same != n {
			return fail("walk has %+v, look-up %+v", n, same)
		}
		if at, ok := s.ByURL(n.URL); !ok || !strings.EqualFold(at.URL, n.URL) {
			return fail("at %q is %+v, %v", n.URL, at, ok)
		}
		if n.ID != root.ID {
			siblings := s.Children(n.Parent)
			if !slices.Contains(siblings, n) {
				return fail("%+v is no child of its parent", n)
			}
			if err := s.checkName(n, siblings); err != nil {
				return fail("%w", err)
			}
		}
		if n.Kind != remote.CategoryNode && (s.hasChildren(n.ID) || s.Children(n.ID) != nil) {
			return fail("paper %d has children", n.ID)
		}
		return true
	})
	if broken != nil {
		return broken
	}
	if len(seen) != s.Len() {
		return fmt.Errorf("the count is %d nodes, but there are %d", s.Len(), len(seen))
	}
	return cmp.Or(s.base.check(), s.checkOverlay())
}

func (b *baseTree) check() error {
	used := 0
	for node := range int32(b.len()) {
		r := b.nodes.at(node)
		used += int(r.nameLen) + int(r.endingLen)
		if end := node + r.size(); end > int32(b.len()) || node > 0 && end > r.parent+b.nodes.at(r.parent).size() {
			return fmt.Errorf("node %d ends after its parent", r.id)
		}
	}
	if used != b.used || used > b.text.bytes() {
		return fmt.Errorf("the count is %d of %d bytes of text, but %d are used", b.used, b.text.bytes(), used)
	}
	return nil
}

func (s *Snapshot) checkOverlay() error {
	children := 0
	for parent, ids := range s.overlay.children {
		children += len(ids)
		for i, id := range ids {
			it := s.overlay.items[id]
			if it.kind == 0 || it.parent != parent {
				return fmt.Errorf("node %d is listed below %d, but is %+v", id, parent, it)
			}
			if i > 0 && !before(s.overlay.items[ids[i-1]], it) {
				return fmt.Errorf("the changed children of %d are out of order", parent)
			}
		}
	}
	for id, it := range s.overlay.items {
		if it.id != id {
			return fmt.Errorf("node %d is stored under id %d", it.id, id)
		}
		if it.kind != 0 {
			children--
		} else if s.base.find(id) < 0 {
			return fmt.Errorf("node %d is marked as removed, but never existed", id)
		}
	}
	if children != 0 {
		return fmt.Errorf("the lists of children miss %d changed nodes", children)
	}
	return nil
}

// checkName compares WithoutAddress and EachNamed of a node with its siblings.
func (s *Snapshot) checkName(n remote.Node, siblings []remote.Node) error {
	brief := func(n remote.Node) remote.Node {
		n.URL = ""
		return n
	}
	if same, ok := s.WithoutAddress(n.ID); !ok || same != brief(n) {
		return fmt.Errorf("WithoutAddress has %+v, Node %+v", same, n)
	}
	var all, alike, want []remote.Node
	alone := false
	children := s.EachChild(n.Parent)
	for c, ok := children.Next(); ok; c, ok = children.Next() {
		all = append(all, c.Node)
		alone = alone || c.ID == n.ID && c.Alone
	}
	s.EachNamed(n.Parent, n.Kind, n.Name, func(c remote.Node) bool {
		alike = append(alike, c)
		return true
	})
	for i, sibling := range siblings {
		if i >= len(all) || all[i] != brief(sibling) {
			return fmt.Errorf("EachChild of %d has %+v, Children %+v", n.Parent, all, siblings)
		}
		if sibling.Kind == n.Kind && sibling.Name == n.Name {
			want = append(want, brief(sibling))
		}
	}
	if alone && len(want) != 1 {
		return fmt.Errorf("%+v is reported as alone, but there are %+v", n, want)
	}
	byID := func(a, b remote.Node) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortFunc(alike, byID)
	slices.SortFunc(want, byID)
	if !slices.Equal(alike, want) {
		return fmt.Errorf("EachNamed %q below %d has %+v, want %+v", n.Name, n.Parent, alike, want)
	}
	return nil
}
