package catalogue

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"paperfs/remote"
)

// change returns the snapshot with one more change applied, and the difference. If the
// change is already in the snapshot, or its node is not, it returns the same snapshot and
// an empty Diff.
type change func(*Snapshot) (*Snapshot, Diff)

// created adds a new node. Its address must be its parent's plus one segment.
func created(n remote.Node, at time.Time) change {
	return func(s *Snapshot) (*Snapshot, Diff) {
		parent, ok := s.item(n.Parent)
		if _, known := s.item(n.ID); known || !ok || parent.kind != remote.CategoryNode {
			return s, Diff{}
		}
		e := s.edit()
		e.put(item{id: n.ID, parent: n.Parent, kind: n.Kind, name: n.Name,
			ending: endingOf(n.URL, s.address(parent)), period: canonical(n.Period), seen: seconds(at), versions: versions{pages: n.Pages}})
		return e.done(), Diff{Dirs: []int64{n.Parent}, Added: []int64{n.ID}}
	}
}

// moved changes a node's parent and, unless name is empty, its name. now is its version afterwards.
func moved(id, destination int64, name string, now remote.Version) change {
	return func(s *Snapshot) (*Snapshot, Diff) {
		it, ok := s.item(id)
		parent, there := s.item(destination)
		if !ok || !there || it.parent == 0 || parent.kind != remote.CategoryNode || s.within(destination, id) {
			return s, Diff{}
		}
		name := cmp.Or(name, it.name)
		if it.parent == destination && it.name == name {
			return s.versioned(it, now)
		}
		d := Diff{Dirs: slices.Compact([]int64{it.parent, destination}), Moved: []int64{id}}
		if it.name != name {
			d.Nodes = []int64{id}
		}
		if address, ok := it.ownAddress(); ok && lastSegment(address) != "" && it.parent != destination {
			it.ending = lastSegment(address)
		}
		it.parent, it.name, it.own = destination, name, now
		e := s.edit()
		e.put(it)
		return e.readdressed(s, id, d)
	}
}

// versioned is a change that s has already: the version now is that of the node, unless s, if it was fetched,
// has a later one. So another version is not known any more.
func (s *Snapshot) versioned(it item, now remote.Version) (*Snapshot, Diff) {
	if it.own == 0 || it.own == now {
		return s, Diff{}
	}
	it.own = 0
	e := s.edit()
	e.put(it)
	return e.done(), Diff{}
}

// readdressed changes the last segment of a node's address. The service does not tell the new version.
func readdressed(id int64, segment string) change {
	return func(s *Snapshot) (*Snapshot, Diff) {
		it, ok := s.item(id)
		if !ok || it.parent == 0 {
			return s, Diff{}
		}
		ending := segment
		if address, ok := it.ownAddress(); ok && address != "" {
			ending = "/" + strings.TrimSuffix(address, lastSegment(address)+"/") + segment + "/"
		}
		if it.ending == ending {
			return s.versioned(it, 0)
		}
		it.ending, it.own = ending, 0
		e := s.edit()
		e.put(it)
		return e.readdressed(s, id, Diff{})
	}
}

// scheduled changes a paper's publication period. The service does not tell the new version.
func scheduled(id int64, period remote.Period) change {
	period = canonical(period)
	return func(s *Snapshot) (*Snapshot, Diff) {
		it, ok := s.item(id)
		if !ok {
			return s, Diff{}
		}
		if it.period == period {
			return s.versioned(it, 0)
		}
		it.period, it.own = period, 0
		e := s.edit()
		e.put(it)
		return e.done(), Diff{Nodes: []int64{id}}
	}
}

// deleted removes a node and its descendants.
func deleted(id int64) change {
	return func(s *Snapshot) (*Snapshot, Diff) {
		it, ok := s.item(id)
		if !ok || it.parent == 0 {
			return s, Diff{}
		}
		d := Diff{Dirs: []int64{it.parent}}
		e := s.edit()
		s.walk(it, s.address(it), func(it item, address string) bool {
			d.Gone = append(d.Gone, it.node(address))
			e.drop(it)
			return true
		})
		d.sort()
		return e.done(), d
	}
}

func lastSegment(address string) string {
	address = strings.TrimSuffix(address, "/")
	return address[strings.LastIndexByte(address, '/')+1:]
}

// edit is a new snapshot under construction.
type edit struct{ next *Snapshot }

func (s *Snapshot) edit() edit {
	next := *s
	next.version++
	next.validator = ""
	next.overlay = overlay{items: maps.Clone(s.overlay.items), children: maps.Clone(s.overlay.children)}
	if next.overlay.items == nil {
		next.overlay = overlay{items: map[int64]item{}, children: map[int64][]int64{}}
	}
	return edit{next: &next}
}

// put adds a node or replaces the one with the same id.
func (e edit) put(it item) {
	over := e.next.overlay
	if _, known := e.next.item(it.id); !known {
		e.next.count++
	}
	if was, changed := over.items[it.id]; changed {
		e.unlink(was)
	}
	over.items[it.id] = it
	children := over.children[it.parent]
	at, _ := slices.BinarySearchFunc(children, it, func(id int64, it item) int {
		if before(over.items[id], it) {
			return -1
		}
		return 1
	})
	over.children[it.parent] = slices.Insert(slices.Clone(children), at, it.id)
}

func (e edit) drop(it item) {
	over := e.next.overlay
	if was, changed := over.items[it.id]; changed {
		e.unlink(was)
	}
	e.next.count--
	if e.next.base.find(it.id) < 0 {
		delete(over.items, it.id)
	} else {
		over.items[it.id] = item{id: it.id}
	}
}

// unlink removes an item of the overlay from its parent's list.
func (e edit) unlink(it item) {
	children := slices.DeleteFunc(slices.Clone(e.next.overlay.children[it.parent]), func(id int64) bool { return id == it.id })
	if len(children) == 0 {
		delete(e.next.overlay.children, it.parent)
	} else {
		e.next.overlay.children[it.parent] = children
	}
}

// readdressed finishes an edit that may have changed the addresses of a node and of its
// descendants.
func (e edit) readdressed(old *Snapshot, id int64, d Diff) (*Snapshot, Diff) {
	e.next.Walk(id, func(n remote.Node) bool {
		if was, _ := old.Node(n.ID); was.URL != n.URL && !(n.ID == id && len(d.Nodes) > 0) {
			d.Nodes = append(d.Nodes, n.ID)
		}
		return true
	})
	d.sort()
	return e.done(), d
}

// done returns the snapshot. It makes a new base if the overlay has grown so large that
// copying it costs more than an occasional new base, or if the overlay contains a full
// address, because only a base is searched for those.
func (e edit) done() *Snapshot {
	over := e.next.overlay.items
	full := len(over) > 512+e.next.base.len()/1000
	for _, it := range over {
		_, whole := it.ownAddress()
		full = full || whole
	}
	if full {
		return e.next.compact()
	}
	return e.next
}

// compact returns the same tree without an overlay.
func (s *Snapshot) compact() *Snapshot {
	defer limitGarbage()()
	b := newBuilder(s, time.Time{})
	err := s.eachItem(b.addItem)
	if err == nil {
		var flat *baseTree
		if flat, err = b.finish(); err == nil {
			return &Snapshot{base: flat, count: s.count, version: s.version, fetched: s.fetched}
		}
	}
	panic("a valid snapshot has no base: " + err.Error())
}
