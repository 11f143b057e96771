package media

import (
	"context"

	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/remote"
)

// A rename replaces the version that its new name showed when it was planned, and no other.

// replacing returns the target of a rename's upload or move, with the version that it has to replace. Where the service
// compares none, or its version is not known, replacing reads the tree first if that is older than Options.StrictTTL,
// and fails with Newer if the service has another version under the new name than the rename was planned to replace.
func (m *renaming) replacing(ctx context.Context) (at target, err error) {
	replaces := m.planned.shown.ID != 0
	if replaces {
		if err := m.seeNewest(ctx, m.planned.shown); err != nil {
			return at, err
		}
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	at = targetIn(m.Dir, m.Name)
	at.base = m.baseLocked(m.planned.shown)
	switch dst := m.Dir.Children[m.Name]; {
	case !replaces:
	case m.differsLocked():
		return at, errChangedThere(dst.Path())
	default:
		at.base = m.baseLocked(plannedOn(dst).shown) // rows do not have the mark
	}
	return at, nil
}

// differsLocked reports whether the service is known to have another version under the new name than the one that the
// rename was planned to replace; m.mu must be held.
func (m *renaming) differsLocked() bool {
	dst, shown := m.Dir.Children[m.Name], m.planned.shown
	return dst != nil && dst.Latest().ID != 0 && (shown.ID == 0 || shown.Differs(dst.Latest()))
}

func (m *renaming) differs() bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.differsLocked()
}

// whichChanged names the file whose version was not the one that a move required, after the tree was read: the
// replaced one, if the moved one is as it was. If neither is another, the move is planned again.
func (m *renaming) whichChanged(err error) error {
	same := m.unchanged(m.From.Dir.Ino, m.From.Name, m.seen) == nil
	m.mu.RLock()
	defer m.mu.RUnlock()
	switch {
	case same && m.differsLocked():
		return errChangedThere(m.Dir.Children[m.Name].Path())
	case !same || m.conflicts == maxUploads:
		return err
	}
	m.conflicts++
	m.seen = m.seen.Merge(m.Src.Latest())
	return errReplan
}

// uploadOver uploads content to the new name, unless the service has another version there than the rename was
// planned to replace.
func (m *renaming) uploadOver(ctx context.Context, at target, content *spool.Content) (remote.Upload, error) {
	up, err := m.uploadFor(ctx, at, content)
	if !isConflict(err) {
		return up, err
	}
	unread := m.refreshPatiently(ctx)
	m.mu.RLock()
	defer m.mu.RUnlock()
	switch {
	case unread == nil && !m.differsLocked() && m.conflicts < maxUploads: // they have put it back, or deleted it
		m.conflicts++
		return up, errReplan
	case m.NoReplace:
		return up, refusal.NameTaken(m.Name)
	}
	return up, errChangedThere(at.path)
}
