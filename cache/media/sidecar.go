package media

import (
	"paperfs/cache/content/failed"
	"paperfs/cache/content/localname"
	"paperfs/cache/content/tree"
)

// This file handles the sidecar files that SQLite keeps next to a database X: X-journal, X-wal
// and X-shm. They stay on this machine and belong to the local content of X. Before X shows
// other content, they lose their names and move to failed/: SQLite would otherwise apply them
// to the other content and damage it.

// sidecar is a sidecar file with its name.
type sidecar struct {
	*tree.Node
	at tree.Link
}

// sidecarsLocked returns the local sidecar files of n, a file that is not local itself; s.mu must
// be held.
func sidecarsLocked(n *tree.Node) (list []sidecar) {
	if n.Parent == nil || n.Kind != File || n.Local() {
		return nil
	}
	for _, name := range localname.Sidecars(n.Name) {
		if b := n.Parent.Children[name]; b != nil && b.Kind == File && b.Local() {
			list = append(list, sidecar{b, tree.Link{Dir: n.Parent, Name: name}})
		}
	}
	return list
}

// detachSidecarsLocked takes the names of n's sidecar files away, together with the change of n's own
// row, and moves them to failed/ at their last release; s.mu must be held.
func (s *Store) detachSidecarsLocked(n *tree.Node) {
	for _, b := range sidecarsLocked(n) {
		change := Changed{Dir: b.at.Dir.Ino, Entries: []string{b.at.Name}}
		if len(b.Also) > 0 { // it has another name, so it stays
			s.removeLocked(b.Node, b.at)
		} else {
			change = s.partLocked(b.Node, nil, tree.Verdict{Reason: errStaleSidecar(b.Path())})
			s.dropSoonLocked(b.Node)
		}
		s.changes.add(change)
	}
}

// recoverSidecars moves the sidecar files of n to failed/ if n shows other content than in an
// earlier run. It is called before the content of n moves, so that a kill in between changes
// nothing.
func (s *Store) recoverSidecars(n *tree.Node) error {
	for _, b := range sidecarsLocked(n) {
		sp := b.Body().Spool
		switch {
		case len(b.Also) > 0:
			s.removeLocked(b.Node, b.at)
			continue
		case sp == nil && b.Size > 0:
			continue // recoverGone handles it
		case sp == nil:
		case sp.Size == 0:
			s.spools.Drop(sp)
		default:
			if err := s.failures.Add(sp.Path, failed.EntryOf(b.Node, sp.Size, tree.Verdict{Reason: errStaleSidecar(b.Path())})); err != nil {
				return err
			}
		}
		b.Body().Spool = nil
		s.dropNames(b.Node)
	}
	return nil
}

// errStaleSidecar explains why a sidecar file is no longer at path.
func errStaleSidecar(path string) error {
	return &Error{Kind: Damaged, Name: path, Detail: "it belongs to local changes of its database, which has other content now; it goes to .paperfs/failed"}
}
