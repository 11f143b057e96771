package media

import (
	"cmp"
	"slices"
	"sync"
)

// place is one name of one directory, whatever stands there and in whichever
// case.
type place struct {
	dir  Ino
	name string // folded
}

// places are locks of names, so that one thing at a time happens at a place
// of the service while different places go on at the same time.
type places struct {
	mu    sync.Mutex
	freed *sync.Cond
	held  map[place]bool // guarded by mu
}

func (p *places) init() {
	p.freed = sync.NewCond(&p.mu)
	p.held = make(map[place]bool)
}

// lock takes places, all or none at a time, and returns what lets them go.
func (p *places) lock(wanted ...place) (unlock func()) {
	slices.SortFunc(wanted, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.dir, b.dir), cmp.Compare(a.name, b.name))
	})
	wanted = slices.Compact(wanted)
	p.mu.Lock()
	defer p.mu.Unlock()
	for slices.ContainsFunc(wanted, func(w place) bool { return p.held[w] }) {
		p.freed.Wait()
	}
	for _, w := range wanted {
		p.held[w] = true
	}
	return func() {
		p.mu.Lock()
		for _, w := range wanted {
			delete(p.held, w)
		}
		p.mu.Unlock()
		p.freed.Broadcast()
	}
}

// lockNode locks the place where n is now. Where n has no name, unlock does
// nothing.
func (s *Store) lockNode(n *node) (unlock func()) {
	for {
		at, named := s.placeOf(n)
		if !named {
			return func() {}
		}
		unlock := s.places.lock(at)
		if now, still := s.placeOf(n); still && now == at {
			return unlock
		}
		unlock() // it was renamed while we waited
	}
}

func (s *Store) placeOf(n *node) (place, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.parent == nil {
		return place{}, false
	}
	return place{n.parent.ino, fold(n.name)}, true
}
