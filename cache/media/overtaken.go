package media

import "paperfs/remote"

// This file holds how a late change gives way: what stands at a name is compared
// with what the change was planned on.

// planned is what a change was planned to replace or remove.
type planned struct {
	node   *node // nil: nothing
	writes uint64
	queued bool
}

// plannedOn notes how n is, which may be nil; Store.mu must be held.
func plannedOn(n *node) planned {
	if n == nil {
		return planned{}
	}
	return planned{n, n.writes, n.queued()}
}

// overtakenLocked reports whether n, which stands there now, has content that was
// written or closed here since a change was planned; s.mu must be held.
func (s *Store) overtakenLocked(was planned, n *node) bool {
	if n == nil || n.kind != File {
		return false
	}
	fresh := n != was.node && n.pub.id == 0
	written := (n.dirty() || n.local()) && (n != was.node || n.writes != was.writes)
	closed := n.dirty() && s.closing[n.ino] == n || n.queued() && (n != was.node || !was.queued)
	return fresh || written || closed
}

// overtakenLocked is that of what a rename replaces, if its caller has left; m.mu must
// be held. A directory that is gone takes nothing any more.
func (m *move) overtakenLocked() bool {
	gone := m.dir.parent == nil && m.dir != m.root
	return m.caller.gone() && (gone || m.Store.overtakenLocked(m.planned, m.dir.children[m.name]))
}

// giveWay keeps what stands at the new name, below which the service has what
// was uploaded, and the old name.
func (m *move) giveWay(up remote.Upload) error {
	m.keepCopy(up)
	return errOvertaken(m.name)
}

func errOvertaken(name string) error {
	return &Error{Kind: Newer, Name: name, Detail: "it was written while the change, whose program was ended, went on; what was written stays"}
}
