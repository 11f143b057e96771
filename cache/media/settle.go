package media

import (
	"errors"

	"paperfs/cache/media/spool"
)

// settle puts n's content where it belongs once its last handle is gone.
func (s *Store) settle(n *node) {
	if s.shutQueued(n) {
		return
	}
	unlock := s.lockNode(n)
	defer unlock()
	s.settleHere(n)
}

// shutQueued closes the content of n if that is queued, and reports whether it
// is: it stays where it is. The place is not locked, so that no release waits
// for older content that is being sent.
func (s *Store) shutQueued(n *node) bool {
	b := n.body()
	b.mu.Lock()
	defer b.mu.Unlock()
	s.mu.RLock()
	queued := n.queued() && n.parent != nil && b.allQueued() && n.dirty()
	idle := n.handles == 0
	s.mu.RUnlock()
	if queued && idle {
		b.dropHeld()
		if b.spool != nil && b.spool.Frozen == 0 {
			b.spool.Close()
		}
	}
	return queued
}

// settleHere is settle for who holds the lock of n's place.
func (s *Store) settleHere(n *node) {
	b := n.body()
	b.mu.Lock()
	s.mu.Lock()
	if n.handles > 0 {
		s.mu.Unlock()
		b.mu.Unlock()
		return // opened again: its release comes here
	}
	b.dropHeld()
	switch {
	case n.parent == nil:
		s.mu.Unlock()
		b.mu.Unlock()
		s.dropRemoved(n)
		return
	case n.local():
		s.mu.Unlock()
		b.torn = nil // it is nobody's promise but what it is
		if err := s.letGo(n); err != nil {
			s.o.Log.Error("keeping that a file is not queued any more", "error", err)
		}
		if b.spool != nil {
			b.spool.Close()
		}
	case !n.dirty() && n.pub.id != 0:
		n.written = false
		s.mu.Unlock()
		b.fail, b.torn = nil, nil // of a write that never came here
		b.shelve(s)
	case b.fail != nil && b.fail.gen == b.gen:
		s.mu.Unlock()
		if b.worthless() {
			b.discard(s)
			b.sent = b.gen
			s.revert(n)
		} else if fail := b.fail; s.setAside(n, fail.err) != nil {
			s.waitAside(n, &failed{gen: b.gen, err: fail.err})
		}
	default:
		s.mu.Unlock()
		upto, release, err := s.queueHere(n)
		if err != nil {
			s.unqueueable(n, err)
			break
		}
		b.spool.Close()
		b.mu.Unlock()
		if err := s.table.wait(upto); err != nil {
			s.o.Log.Error("an upload is not queued durably", "error", err)
		}
		release()
		return
	}
	b.mu.Unlock()
}

// unqueueable sees to content that could not be queued; b.mu of the node must be
// held. Once a sync has failed no content can be queued durably any more.
func (s *Store) unqueueable(n *node, err error) {
	b := n.body()
	if ours(err) && s.sound.Failure() == nil {
		s.waitAside(n, nil)
	} else if s.setAside(n, err) != nil {
		s.waitAside(n, &failed{gen: b.gen, err: err})
	}
}

// worthless reports whether the content is the torso that a write left which
// found no room: who wrote it was told, and to keep it would keep others from
// writing. What a close took over is never that. b.mu must be held.
func (b *body) worthless() bool { return Is(b.fail.err, Full) && !b.allQueued() }

// shelve makes a published spool the cached content; b.mu must be held.
func (b *body) shelve(s *Store) {
	sp := b.spool
	if sp == nil {
		return
	}
	b.spool, b.closed = nil, nil
	if sp.Frozen > 0 {
		return // dropped when it thaws
	}
	sp.Close()
	if sp.Size == 0 || b.sum == "" {
		s.spools.Drop(sp)
		return
	}
	if err := s.contents.Adopt(sp.Path, b.sum); err != nil {
		s.o.Log.Warn("published content is not kept for reading", "error", err)
	}
	s.spools.Give(sp, sp.Size)
}

// setAside moves the content that could not be published to failed/, and shows
// what is queued, else what the service holds: the older version, or nothing.
// b.mu of the node must be held since its last handle was seen to be gone, so
// that nobody opens what is about to lose its name.
func (s *Store) setAside(n *node, reason error) error {
	b := n.body()
	s.mu.RLock()
	e := n.failedEntry(n.size, reason)
	s.mu.RUnlock()
	sp := b.spool
	if sp == nil {
		var err error
		if sp, err = s.spools.Create(n.ino); err != nil {
			return err
		}
	}
	if err := s.moveToFailed(sp, e, b.queued == b.gen); err != nil {
		b.spool = sp
		return err
	}
	if b.closed == sp {
		b.closed = nil
	}
	b.spool, b.fail, b.torn = nil, nil, nil
	b.sent = b.gen
	s.revert(n)
	return nil
}

// moveToFailed makes a spool an entry of failed/; promised tells that a close
// has promised that it lasts. b.mu of its node must be held.
func (s *Store) moveToFailed(sp *spool.File, e FailedEntry, promised bool) error {
	if promised {
		if err := errors.Join(sp.Open(), s.spools.Sync(sp)); err != nil {
			s.o.Log.Error("content that was not published is not durable yet", "path", e.Path, "error", err)
		}
	}
	sp.Close()
	err := s.failures.add(sp.Path, e)
	if err != nil {
		s.o.Log.Error("content that was not published stays in the spool", "path", e.Path, "error", err)
	}
	return err
}

// revert shows what is queued of n, else what the service holds, instead of
// what was written here; b.mu of the node must be held.
func (s *Store) revert(n *node) {
	s.mu.Lock()
	if n.parent == nil { // a tree took its name since the caller looked
		if n.state == strayed {
			n.on(kept)
		}
		s.mu.Unlock()
		return
	}
	name := n.name
	change := Changed{Dir: n.parent.ino}
	switch {
	case n.queued() && n.body().closed != nil:
		change.Contents = []string{name}
		s.showClosedLocked(n)
	case n.pub.id == 0:
		change.Entries = []string{name}
		s.unlinkLocked(n)
	default:
		change.Contents = []string{name}
		n.written = false
		s.setQueuedLocked(n, false)
		n.on(reverted)
		n.mtime = n.pub.modTime
		s.keepLocked(n)
	}
	s.mu.Unlock()
	s.changes.add(change)
}

// setClosedAside moves what is queued of n to failed/, while it is being
// written again; b.mu of the node and its place must be held.
func (s *Store) setClosedAside(n *node, reason error) error {
	sp := n.body().closed
	s.mu.RLock()
	e := n.failedEntry(sp.Size, reason)
	s.mu.RUnlock()
	err := s.moveToFailed(sp, e, true)
	if err == nil {
		n.body().closed = nil
	}
	return err
}

// waitAside has n wait in the queue for what could not be done with its content at
// its last close: it is moved to failed/, or, where fail is nil, queued and sent.
// The rows do not tell: the next mount moves it to failed/. Where older content is
// queued, that goes first, and this is tried again behind it. b.mu of the node must
// be held.
func (s *Store) waitAside(n *node, fail *failed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.queued() || n.parent == nil { // others took its name: who settles it then sees to it
		return
	}
	n.on(waited)
	s.setQueuedLocked(n, true)
	n.delivery.fail = fail
}
