package catalogue

import (
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// Snapshot is the tree at one moment. It never changes.
//
// It consists of a base, the tree as fetched, and an overlay of the nodes changed locally
// since. So a change copies the overlay and not the whole tree.
type Snapshot struct {
	base    *baseTree
	overlay overlay
	count   int
	version uint64
	fetched time.Time

	// validator identifies the answer that this tree equals; empty if the service sent
	// none, or if the tree was changed locally.
	validator remote.Validator
	odd       bool // part of the answer is left out or cannot be shown in full
}

// overlay holds the nodes that differ from the base. Its maps never change once the
// snapshot is made.
type overlay struct {
	items    map[int64]item    // kind 0: deleted
	children map[int64][]int64 // by category: its children among items, in order
}

func newSnapshot(b *baseTree, fetched time.Time) *Snapshot {
	return &Snapshot{base: b, count: b.len(), version: 1, fetched: fetched}
}

// Root returns the category at the top; its Parent is 0.
func (s *Snapshot) Root() remote.Node {
	root, _ := s.Node(s.base.id(0))
	return root
}

// Node returns the node with the id.
func (s *Snapshot) Node(id int64) (remote.Node, bool) {
	it, ok := s.item(id)
	if !ok {
		return remote.Node{}, false
	}
	return it.node(s.address(it)), true
}

// WithoutAddress is Node without the address, which would take a walk up to the root.
func (s *Snapshot) WithoutAddress(id int64) (remote.Node, bool) {
	it, ok := s.item(id)
	return it.withoutAddress(), ok
}

// ByURL returns the node at an address that begins and ends with a slash. It ignores case.
func (s *Snapshot) ByURL(url string) (remote.Node, bool) {
	// The descent starts at the root, or at a node stored with its full address: the one
	// with the longest address that is a prefix of url.
	for end := len(url); end > 0; end = strings.LastIndexByte(url[:end-1], '/') + 1 {
		node, ok := s.base.byAddress[rules.Fold(url[:end])]
		if !ok {
			continue
		}
		it, ok := s.item(s.base.id(node))
		if !ok || it.ending != s.base.ending(node) {
			continue
		}
		if it, ok = s.descend(it, url[end:]); ok {
			return it.node(s.address(it)), true
		}
	}
	return remote.Node{}, false
}

func (s *Snapshot) descend(it item, path string) (item, bool) {
	for path != "" {
		segment, rest, closed := strings.Cut(path, "/")
		if !closed || segment == "" {
			return item{}, false
		}
		var ok bool
		if it, ok = s.childByEnding(it.id, segment); !ok {
			return item{}, false
		}
		path = rest
	}
	return it, true
}

// Seen returns when a mount of this account first saw the node, to the second, or the zero
// time for an unknown id.
func (s *Snapshot) Seen(id int64) time.Time {
	it, ok := s.item(id)
	if !ok {
		return time.Time{}
	}
	return it.firstSeen()
}

// Version grows with each change of the tree. It is meaningful only within this process.
func (s *Snapshot) Version() uint64 { return s.version }

// Fetched returns when the fetch that brought the tree started.
func (s *Snapshot) Fetched() time.Time { return s.fetched }

// Len returns the number of nodes, including the root.
func (s *Snapshot) Len() int { return s.count }

func (s *Snapshot) item(id int64) (item, bool) {
	if it, changed := s.overlay.items[id]; changed {
		return it, it.kind != 0
	}
	node := s.base.find(id)
	if node < 0 {
		return item{}, false
	}
	return s.base.item(node), true
}

func (s *Snapshot) address(it item) string {
	if address, ok := it.ownAddress(); ok {
		return address
	}
	parent, _ := s.item(it.parent)
	return s.address(parent) + it.ending + "/"
}

func (s *Snapshot) childByEnding(id int64, segment string) (item, bool) {
	if parent := s.base.find(id); parent >= 0 {
		found := int32(-1)
		s.base.byEnding.each(hashEnding(parent, segment), func(node int32) bool {
			_, changed := s.overlay.items[s.base.id(node)]
			if !changed && s.base.nodes.at(node).parent == parent && rules.Same(s.base.ending(node), segment) {
				found = node
			}
			return found < 0
		})
		if found >= 0 {
			return s.base.item(found), true
		}
	}
	for _, child := range s.overlay.children[id] {
		if it := s.overlay.items[child]; rules.Same(it.ending, segment) {
			return it, true
		}
	}
	return item{}, false
}

// within reports whether id is top or a descendant of it.
func (s *Snapshot) within(id, top int64) bool {
	for {
		if id == top {
			return true
		}
		it, ok := s.item(id)
		if !ok {
			return false
		}
		id = it.parent
	}
}
