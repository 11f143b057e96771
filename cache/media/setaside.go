package media

import (
	"context"

	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
)

// The kernel releases the file of a killed writer some time after others know that the writer
// is dead. This file handles a program that opens the file in between: it must not join what the
// killed writer left, because its own close would publish that.

// HasTorso reports whether a file shows content of a killed writer, so that SetAside has
// something to do.
func (s *Store) HasTorso(ino Ino) bool {
	s.mu.RLock()
	n := s.nodes[ino]
	torso := n != nil && n.Kind == File && n.State() != tree.Clean
	s.mu.RUnlock()
	if !torso {
		return false
	}
	b := n.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	return b.Verdict.Killed && b.Spoiled() != nil
}

// SetAside moves what a killed writer left of a file to failed/ before the last release does, so
// that a program that opens the file next finds what it held before. Handles that are still open
// write in vain from then on. If there is no room in failed/, the content stays, and nobody but a
// program that empties the file can publish it again.
//
// SetAside waits while the name is being uploaded or renamed, until ctx is done. If older content
// is queued, it waits for nothing: an upload of that goes on.
func (s *Store) SetAside(ctx context.Context, ino Ino) error {
	s.mu.RLock()
	n := s.nodes[ino]
	queued := n != nil && n.State() == tree.Rewritten
	s.mu.RUnlock()
	if n == nil || s.enter() != nil {
		return nil
	}
	defer s.work.Done()
	if !queued {
		unlock, err := s.lockNodeFor(ctx, n)
		if err != nil {
			return err
		}
		defer unlock()
	}
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	torso := b.Verdict.Killed && b.Spoiled() != nil
	s.mu.RLock()
	none, stuck := !torso || n.Parent == nil || n.Local() || !n.Dirty(), n.State() == tree.Stuck
	s.mu.RUnlock()
	if none {
		return nil
	}
	if stuck || s.failContentBodyLocked(n, b.Verdict) != nil {
		b.Verdict.Final = true
		return nil
	}
	b.SetAside++
	return nil
}

// setAsideNamed is SetAside before a rename: a scratch name would keep the torso, and the rename to
// it would delete what the file held before at the service.
func (s *Store) setAsideNamed(ctx context.Context, dir Ino, name string) error {
	s.mu.RLock()
	n, err := s.childLocked(dir, name)
	s.mu.RUnlock()
	if err != nil || !s.HasTorso(n.Ino) {
		return nil // the rename itself says what is wrong with the name
	}
	return s.SetAside(ctx, n.Ino)
}

// errSetAside is the error of a handle whose content was set aside.
var errSetAside = &Error{Kind: refusal.Damaged,
	Detail: "a program that was writing it was killed, and another program has opened it since: what had been written is in .paperfs/failed, and cannot be continued"}

// refusalBodyLocked returns why h publishes nothing, or nil; Body.Mu must be held.
func (h *Handle) refusalBodyLocked() error {
	if h.broken == nil && h.gen > 0 && h.castOffBodyLocked() {
		return errSetAside
	}
	return h.broken
}

// castOff is castOffBodyLocked without Body.Mu.
func (h *Handle) castOff() bool {
	h.node.Body().Mu.RLock()
	defer h.node.Body().Mu.RUnlock()
	return h.castOffBodyLocked()
}

// castOffBodyLocked reports whether h was open when the content was set aside; Body.Mu must be
// held.
func (h *Handle) castOffBodyLocked() bool { return h.asides != h.node.Body().SetAside }
