package media

import "paperfs/cache/media/tree"

// This file is about how a late change gives way: what stands at a name is compared
// with what the change was planned on.

// planned is what a change was planned to replace or remove.
type planned struct {
	node   *tree.Node // nil: nothing
	writes uint64
	queued bool
}

// plannedOn notes how n is, which may be nil; Store.mu must be held.
func plannedOn(n *tree.Node) planned {
	if n == nil {
		return planned{}
	}
	return planned{n, n.Writes, n.Queued()}
}

// overtakenLocked reports whether n, which stands there now, has content that was
// written or closed here since a change was planned; s.mu must be held.
func (s *Store) overtakenLocked(was planned, n *tree.Node) bool {
	if n == nil || n.Kind != File {
		return false
	}
	fresh := n != was.node && n.Pub.ID == 0
	written := (n.Dirty() || n.Local()) && (n != was.node || n.Writes != was.writes)
	closed := n.Dirty() && s.closing[n.Ino] == n || n.Queued() && (n != was.node || !was.queued)
	return fresh || written || closed
}

func errOvertaken(name string) error {
	return &Error{Kind: Newer, Name: name, Detail: "the interrupted change was given up, because the file was written since; the new content stays"}
}
