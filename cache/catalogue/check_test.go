package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"paperfs/remote"
)

// check reports the first broken invariant of a snapshot.
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
		return fmt.Errorf("%d nodes are counted, %d are there", s.Len(), len(seen))
	}
	return s.checkOverlay()
}

func (s *Snapshot) checkOverlay() error {
	kids := 0
	for parent, ids := range s.over.kids {
		kids += len(ids)
		for i, id := range ids {
			it := s.over.items[id]
			if it.kind == 0 || it.parent != parent {
				return fmt.Errorf("%d is listed below %d and is %+v", id, parent, it)
			}
			if i > 0 && !before(s.over.items[ids[i-1]], it) {
				return fmt.Errorf("the changed children of %d are out of order", parent)
			}
		}
	}
	for id, it := range s.over.items {
		if it.id != id {
			return fmt.Errorf("%d is kept as %d", it.id, id)
		}
		if it.kind != 0 {
			kids--
		} else if s.base.find(id) < 0 {
			return fmt.Errorf("%d is gone and was never there", id)
		}
	}
	if kids != 0 {
		return fmt.Errorf("%d changed nodes are listed wrongly", kids)
	}
	return nil
}
