package media

import "paperfs/remote"

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
func (s *Store) own(n *node, keep bool) (*spool, error) {
	b := n.body()
	if b.spool != nil && b.spool.frozen == 0 && b.spool != b.closed {
		return b.spool, nil
	}
	sp, err := s.successor(n, keep)
	if err != nil {
		return nil, err
	}
	if s.orphaned(n) {
		sp.disown()
	}
	b.spool = sp // an older one is queued, or frozen and dropped when it thaws
	b.dropHeld()
	return sp, nil
}

// successor makes a new spool for n.
func (s *Store) successor(n *node, keep bool) (*spool, error) {
	b := n.body()
	switch {
	case !keep:
	case b.spool != nil:
		return s.spools.from(n.ino, b.spool.f, b.spool.size)
	case b.held != nil:
		return s.spools.from(n.ino, b.held.f, b.held.size)
	}
	return s.spools.create(n.ino)
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

func (s *spools) writeAt(sp *spool, p []byte, off int64) (int, error) {
	end := off + int64(len(p))
	if end > longestFile {
		return 0, &Error{Kind: TooBig, Detail: "beyond the longest possible file"}
	}
	if err := s.grown(sp, end); err != nil {
		return 0, err
	}
	n, err := sp.f.WriteAt(p, off)
	reached := max(sp.size, off+int64(n))
	if end > sp.size {
		s.give(sp, end-reached)
	}
	sp.measureWrite(p[:n], off)
	sp.size = reached
	return n, err
}

// longestFile is how long a file can be: as long as on the usual disks.
const longestFile = 16 << 40

func (s *spools) resize(sp *spool, size int64) error {
	if size > longestFile {
		return &Error{Kind: TooBig, Detail: "beyond the longest possible file"}
	}
	if err := s.grown(sp, size); err != nil {
		return err
	}
	if err := sp.f.Truncate(size); err != nil {
		s.give(sp, max(0, size-sp.size))
		return err
	}
	s.give(sp, max(0, sp.size-size))
	if size != sp.size {
		sp.measure = nil
	}
	if size == 0 {
		sp.measure = new(remote.Measure)
	}
	sp.size = size
	return nil
}

// measureWrite measures what was written at off of a spool that is sp.size
// long, so that an upload need not read it once before it sends.
func (sp *spool) measureWrite(p []byte, off int64) {
	switch {
	case sp.measure == nil:
	case off == sp.size:
		_, _ = sp.measure.Write(p)
	default:
		sp.measure = nil
	}
}
