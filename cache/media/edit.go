package media

import "paperfs/cache/media/spool"

// This file holds what handles do to a file's local content. body.mu of the
// file is held throughout, unless said otherwise.

// loaded reports whether the content can be read here.
func (s *Store) loaded(n *node) bool {
	if n.body().spool != nil {
		return true
	}
	s.mu.RLock()
	pub, blank := n.pub, n.blank
	s.mu.RUnlock()
	if blank {
		return true
	}
	if pub.id == 0 && !pub.gone() && n.body().held == nil || pub.size == 0 {
		return true
	}
	held := n.body().held
	return held != nil && (pub.id == 0 || held.sha256 == pub.sha256.String())
}

// own gives n a spool that no upload reads and that is not queued, with the
// present content if keep is set, and empty otherwise.
func (s *Store) own(n *node, keep bool) (*spool.File, error) {
	b := n.body()
	if b.spool != nil && b.spool.Frozen == 0 && b.spool != b.closed {
		return b.spool, nil
	}
	sp, err := s.successor(n, keep)
	if err != nil {
		return nil, err
	}
	if s.orphaned(n) {
		sp.Disown()
	}
	b.spool = sp // an older one is queued, or frozen and dropped when it thaws
	b.dropHeld()
	return sp, nil
}

// successor makes a new spool for n.
func (s *Store) successor(n *node, keep bool) (*spool.File, error) {
	b := n.body()
	switch {
	case !keep:
	case b.spool != nil:
		return s.spools.From(n.ino, b.spool.F, b.spool.Size)
	case b.held != nil:
		return s.spools.From(n.ino, b.held.f, b.held.size)
	}
	return s.spools.Create(n.ino)
}

// noteWrite shows what was written.
func (s *Store) noteWrite(n *node, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	n.own().size, n.own().blank, n.written = size, false, true
	n.on(written)
	n.own().writes++
	delete(s.closing, n.ino)
	n.mtime, n.ctime = now, now
	if n.local() {
		s.keepLocked(n)
	}
}

// unchanged reports whether setting the length of n to size would change
// nothing. body.mu must not be held.
func (s *Store) unchanged(n *node, size int64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	shown, known := n.shownSize()
	return known && shown == size
}

// emptied notes that somebody who writes n emptied what was empty already, if
// size is 0.
func (s *Store) emptied(n *node, size int64) {
	if size > 0 {
		return
	}
	s.mu.Lock()
	n.own().blank = true
	s.mu.Unlock()
}

// blank reports whether what is written to n is all of it.
func (s *Store) blank(n *node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.blank
}

// stays reports whether n's content is never sent: it is scratch, or has lost
// its name. body.mu is not needed.
func (s *Store) stays(n *node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.local() || n.parent == nil
}

// lostWrites is the failure of writing to a file that others deleted at the
// service meanwhile: there is no name to publish it under. body.mu is not
// needed.
func (s *Store) lostWrites(n *node) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.lost == "" || !n.dirty() {
		return nil
	}
	return lostWrites(n.lost)
}

// orphaned reports whether n has lost its name to somebody here, so that its
// content ends with its last use. body.mu is not needed.
func (s *Store) orphaned(n *node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.parent == nil && n.lost == ""
}
