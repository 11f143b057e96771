package media

import (
	"context"

	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// A rename replaces the version that its new name showed when it was planned, and no other.

// replacing returns the target of a rename's upload or move, with the version that it has to replace. Where the service
// compares none, or its version is not known, replacing reads the tree first if that is older than Options.StrictTTL,
// and fails with Newer if the service has another version under the new name than the rename was planned to replace.
func (m *renaming) replacing(ctx context.Context) (at target, err error) {
	if m.planned.shown.ID != 0 {
		if err := m.seeNewest(ctx, m.planned.shown); err != nil {
			return at, err
		}
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	at = targetIn(m.Dir, m.Name)
	at.base = m.baseLocked(tree.Version{})
	switch dst := m.Dir.Children[m.Name]; {
	case m.differsLocked() && m.NoReplace:
		return at, refusal.NameTaken(m.Name)
	case m.differsLocked():
		return at, errNewer(dst.Path())
	case dst != nil:
		at.base = m.baseLocked(dst.Latest()) // rows do not have the mark
	}
	return at, nil
}

// differsLocked reports whether the service is known to have another version under the new name than the one that the
// rename was planned to replace; m.mu must be held.
func (m *renaming) differsLocked() bool {
	dst, shown := m.Dir.Children[m.Name], m.planned.shown
	return dst != nil && dst.Latest().ID != 0 && (shown.ID == 0 || shown.Differs(dst.Latest()))
}
