package media

import (
	"context"

	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/remote"
)

// A rename replaces the version that its new name showed when it was planned, and no other.

// requireTargetSeen fails with Newer if the service has another version under the new name than the
// one that the rename was planned to replace. It reads the tree first if that is older than Options.StrictTTL.
func (m *renaming) requireTargetSeen(ctx context.Context) error {
	if m.planned.shown.ID == 0 {
		return nil
	}
	if err := m.requireFreshTree(ctx); err != nil {
		return err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	there := m.Dir.Children[m.Name]
	if there == nil || there.Latest().ID == 0 || !m.planned.shown.Differs(there.Latest()) {
		return nil
	}
	return errChangedThere(there.Path())
}

// replacing returns the target of a rename's upload. Where the service compares no version,
// it is requireTargetSeen.
func (m *renaming) replacing(ctx context.Context) (at target, err error) {
	at = m.uploadTarget()
	if at.base != 0 {
		return at, nil
	}
	err = m.requireTargetSeen(ctx)
	return at, err
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
	there, shown := m.Dir.Children[m.Name], m.planned.shown
	same := there == nil || there.Latest().ID == 0 || shown.ID != 0 && !shown.Differs(there.Latest())
	switch {
	case unread == nil && same && m.conflicts < maxUploads: // they have put it back, or deleted it
		m.conflicts++
		return up, errReplan
	case m.NoReplace:
		return up, refusal.NameTaken(m.Name)
	}
	return up, errChangedThere(at.path)
}
