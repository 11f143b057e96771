package catalogue

import (
	"math"
	"strings"
	"time"

	"paperfs/remote"
)

// Hear changes the tree to what a service tells of some nodes, which costs no request; false: the tree has to be fetched.
// before is the tree, by Peek, from before the request to which the service answers: if it is not the tree any more, or
// a change of our own is under way, nobody knows which of the two is newer. complete: before has all changes that the
// service does not tell now, so a node whose parent is not in it lies outside the root.
func (c *Catalogue) Hear(before *Snapshot, nodes []remote.Event, complete bool) bool {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	default:
		return false
	}
	c.install.Lock()
	defer c.install.Unlock()
	if before == nil || c.snap.Load() != before || c.recording || before.odd {
		return false
	}
	fresh, ok := before.told(nodes, c.o.Now(), complete)
	if !ok || c.limits.check(fresh.count, 0) != nil {
		return false
	}
	d := diff(before, fresh)
	if fresh.version = before.version; !d.Empty() {
		fresh.version++
	}
	c.misses.Purge()
	c.snap.Store(fresh)
	c.announceLocked(before, fresh, d)
	return true
}

// told returns the tree with some nodes as they are told.
func (s *Snapshot) told(nodes []remote.Event, at time.Time, complete bool) (fresh *Snapshot, ok bool) {
	e := s.edit()
	var gone []item
	for _, n := range nodes {
		it, known := s.item(n.ID)
		switch {
		case n.ID == s.base.id(0):
			return nil, false
		case n.Gone && known:
			gone = append(gone, it)
		case !n.Gone && !s.tellable(n):
			return nil, false
		}
	}
	for left := nodes; ; { // parents before their children
		rest := e.tell(left, at)
		if len(rest) == 0 {
			break
		}
		if len(rest) == len(left) {
			if !complete || e.has(rest) {
				return nil, false
			}
			break // they lie outside the root
		}
		left = rest
	}
	for _, it := range gone {
		e.drop(it)
	}
	if !e.sound(nodes) {
		return nil, false
	}
	return e.done(), true
}

// tellable reports whether a node can be put into the tree alone. A category that is new in a tree which is not all of
// its tenant may have come with what is below it, of which nothing is told.
func (s *Snapshot) tellable(n remote.Event) bool {
	was, known := s.item(n.ID)
	_, addressed := was.ownAddress()
	switch {
	case n.ID <= 0, n.Name == "", len(n.Name) > math.MaxUint16, len(n.URLName) > math.MaxUint16, strings.Contains(n.URLName, "/"),
		!validEnding(n.URLName, false):
		return false
	case known:
		return was.kind == kindTold(n) && !addressed
	}
	return n.Paper || s.Root().URL == "/"
}

func kindTold(n remote.Event) remote.NodeKind {
	if n.Paper {
		return remote.PaperNode
	}
	return remote.CategoryNode
}

// tell puts those nodes in their places that have a parent in the tree, and returns the rest.
func (e edit) tell(nodes []remote.Event, at time.Time) (rest []remote.Event) {
	for _, n := range nodes {
		if n.Gone {
			continue
		}
		if parent, ok := e.next.item(n.Parent); !ok || parent.kind != remote.CategoryNode {
			rest = append(rest, n)
			continue
		}
		it := item{id: n.ID, parent: n.Parent, kind: kindTold(n), name: n.Name, ending: n.URLName, period: canonical(n.Period),
			seen: seconds(at), versions: versions{n.Version, n.Edition, n.Pages}}
		if was, known := e.next.item(n.ID); known {
			it.seen = was.seen
		}
		e.put(it)
	}
	return rest
}

// has reports whether the tree has any of the nodes.
func (e edit) has(nodes []remote.Event) bool {
	for _, n := range nodes {
		if _, known := e.next.item(n.ID); known {
			return true
		}
	}
	return false
}

// sound reports whether the nodes hang together with the root, and nothing is below what is gone.
func (e edit) sound(nodes []remote.Event) bool {
	for _, n := range nodes {
		it, known := e.next.item(n.ID)
		if n.Gone && e.next.hasChildren(n.ID) {
			return false
		}
		for up := e.next.count; known && it.parent != 0; up-- {
			if it, known = e.next.item(it.parent); !known || up == 0 {
				return false
			}
		}
	}
	return true
}
