package media

import (
	"paperfs/cache/media/failed"
	"paperfs/cache/media/localname"
	"paperfs/cache/media/tree"
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

// detachedSidecars are sidecar files that have lost their names. Each counts as open, so that
// its content stays.
type detachedSidecars struct {
	store *Store
	files []sidecar
}

// detachSidecars removes the names of n's sidecar files and returns once a kill does not
// restore them. The caller must call reattach or moveToFailed afterwards, and must be
// registered with enter.
func (s *Store) detachSidecars(n *tree.Node) detachedSidecars {
	s.mu.Lock()
	p := s.unlinkSidecarsLocked(n)
	upto := s.dirtied
	s.mu.Unlock()
	if len(p.files) == 0 {
		return p
	}
	s.work.Add(1)
	if err := s.journal.WaitWritten(upto); err != nil {
		s.o.Log.Error("after a kill the journal of another database may reappear", "error", err)
	}
	return p
}

// detachSidecarsLocked is detachSidecars for a caller that writes n's own row together with
// those of the sidecar files; s.mu must be held.
func (s *Store) detachSidecarsLocked(n *tree.Node) {
	if p := s.unlinkSidecarsLocked(n); len(p.files) > 0 && !s.closed {
		s.work.Add(1)
		p.moveToFailed()
	}
}

func (s *Store) unlinkSidecarsLocked(n *tree.Node) detachedSidecars {
	p := detachedSidecars{store: s}
	for _, b := range sidecarsLocked(n) {
		s.changes.add(Changed{Dir: b.at.Dir.Ino, Entries: []string{b.at.Name}})
		if len(b.Also) > 0 { // it has another name, so it stays
			s.removeLocked(b.Node, b.at)
			continue
		}
		own := b.Own()
		own.Lost, own.StaleSidecar = b.Path(), true
		own.Handles++
		b.Detach()
		b.On(tree.Vanished)
		s.saveLocked(b.at.Dir)
		s.saveLocked(b.Node)
		p.files = append(p.files, b)
	}
	return p
}

// reattach restores the names, because the content of the database stays.
func (p detachedSidecars) reattach() {
	s := p.store
	s.mu.Lock()
	for _, b := range p.files {
		if b.at.Dir.Children[b.at.Name] == nil && (b.at.Dir.Parent != nil || b.at.Dir == s.root) {
			b.Own().Lost, b.Own().StaleSidecar = "", false
			b.On(tree.Hidden)
			s.linkLocked(b.at.Dir, b.at.Name, b.Node)
			s.changes.add(Changed{Dir: b.at.Dir.Ino, Entries: []string{b.at.Name}})
		}
	}
	s.mu.Unlock()
	p.moveToFailed()
}

// moveToFailed moves the sidecar files to failed/, at their last release. It works in the
// background because the caller may hold any lock.
func (p detachedSidecars) moveToFailed() {
	if len(p.files) > 0 {
		go p.end()
	}
}

func (p detachedSidecars) end() {
	s := p.store
	defer s.work.Done()
	for _, b := range p.files {
		s.mu.Lock()
		b.Own().Handles--
		last := b.Handles == 0
		s.mu.Unlock()
		if last {
			s.finalize(b.Node)
		}
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
