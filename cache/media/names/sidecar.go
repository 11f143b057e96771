package names

import (
	"paperfs/cache/content/inode"
	"paperfs/cache/content/localname"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// This file handles the sidecar files that SQLite keeps next to a database X: X-journal, X-wal
// and X-shm. They stay on this machine and belong to the local content of X. Before X shows
// other content, they lose their names and move to failed/: SQLite would otherwise apply them
// to the other content and damage it.

// sidecar is a sidecar file with its name.
type sidecar struct {
	*tree.Node
	At tree.Link
}

// SidecarsLocked returns the local sidecar files of n, a file that is not local itself; Mu must
// be held.
func SidecarsLocked(n *tree.Node) (list []sidecar) {
	if n.Parent == nil || n.Kind != inode.File || n.Local() {
		return nil
	}
	for _, name := range localname.Sidecars(n.Name) {
		if b := n.Parent.Children[name]; b != nil && b.Kind == inode.File && b.Local() {
			list = append(list, sidecar{b, tree.Link{Dir: n.Parent, Name: name}})
		}
	}
	return list
}

// DetachSidecarsLocked takes the names of n's sidecar files away, together with the change of n's own
// row, and moves them to failed/ at their last release; Mu must be held.
func (s *Tree) DetachSidecarsLocked(n *tree.Node) {
	for _, b := range SidecarsLocked(n) {
		change := Changed{Dir: b.At.Dir.Ino, Entries: []string{b.At.Name}}
		if len(b.Also) > 0 { // it has another name, so it stays
			s.RemoveLocked(b.Node, b.At)
		} else {
			change = s.DetachLocked(b.Node, nil, tree.Verdict{Reason: ErrStaleSidecar(b.Path())})
			s.DropSoonLocked(b.Node)
		}
		s.Changes.Tell(change)
	}
}

// ErrStaleSidecar explains why a sidecar file is no longer at path.
func ErrStaleSidecar(path string) error {
	return &refusal.Error{Kind: refusal.Damaged, Name: path, Detail: "it belongs to local changes of its database, which has other content now; it goes to .paperfs/failed"}
}
