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

// side is a sidecar file with its name.
type side struct {
	*tree.Node
	at tree.Link
}

// besideLocked returns the local sidecar files of n, a file that is not local itself; s.mu must
// be held.
func besideLocked(n *tree.Node) (list []side) {
	if n.Parent == nil || n.Kind != File || n.Local() {
		return nil
	}
	for _, name := range localname.Besides(n.Name) {
		if b := n.Parent.Children[name]; b != nil && b.Kind == File && b.Local() {
			list = append(list, side{b, tree.Link{Dir: n.Parent, Name: name}})
		}
	}
	return list
}

// parted are sidecar files that have lost their names. Each counts as open, so that its content
// stays.
type parted struct {
	store *Store
	sides []side
}

// partBeside removes the names of n's sidecar files and returns once a kill does not restore
// them. The caller must call rejoin or follow afterwards, and must be registered with enter.
func (s *Store) partBeside(n *tree.Node) parted {
	s.mu.Lock()
	p := s.partLocked(n)
	upto := s.dirtied
	s.mu.Unlock()
	if len(p.sides) == 0 {
		return p
	}
	s.work.Add(1)
	if err := s.journal.WaitWritten(upto); err != nil {
		s.o.Log.Error("a kill may bring the journal of another database back", "error", err)
	}
	return p
}

// partGoneLocked is partBeside for a caller that writes n's own row together with those of the
// sidecar files; s.mu must be held.
func (s *Store) partGoneLocked(n *tree.Node) {
	if p := s.partLocked(n); len(p.sides) > 0 && !s.closed {
		s.work.Add(1)
		p.follow()
	}
}

func (s *Store) partLocked(n *tree.Node) parted {
	p := parted{store: s}
	for _, b := range besideLocked(n) {
		s.changes.add(Changed{Dir: b.at.Dir.Ino, Entries: []string{b.at.Name}})
		if len(b.Also) > 0 { // it has another name, so it stays
			s.removeLocked(b.Node, b.at)
			continue
		}
		own := b.Own()
		own.Lost, own.Beside = b.Path(), true
		own.Handles++
		b.Detach()
		b.On(tree.Vanished)
		s.saveLocked(b.at.Dir)
		s.saveLocked(b.Node)
		p.sides = append(p.sides, b)
	}
	return p
}

// rejoin restores the names, because the content of the database stays.
func (p parted) rejoin() {
	s := p.store
	s.mu.Lock()
	for _, b := range p.sides {
		if b.at.Dir.Children[b.at.Name] == nil && (b.at.Dir.Parent != nil || b.at.Dir == s.root) {
			b.Own().Lost, b.Own().Beside = "", false
			b.On(tree.Hidden)
			s.linkLocked(b.at.Dir, b.at.Name, b.Node)
			s.changes.add(Changed{Dir: b.at.Dir.Ino, Entries: []string{b.at.Name}})
		}
	}
	s.mu.Unlock()
	p.follow()
}

// follow moves the sidecar files to failed/, at their last release. It works in the background
// because the caller may hold any lock.
func (p parted) follow() {
	if len(p.sides) > 0 {
		go p.end()
	}
}

func (p parted) end() {
	s := p.store
	defer s.work.Done()
	for _, b := range p.sides {
		s.mu.Lock()
		b.Own().Handles--
		last := b.Handles == 0
		s.mu.Unlock()
		if last {
			s.finalize(b.Node)
		}
	}
}

// recoverBeside moves the sidecar files of n to failed/ if n shows other content than in an
// earlier run. It is called before the content of n moves, so that a kill in between changes
// nothing.
func (s *Store) recoverBeside(n *tree.Node) error {
	for _, b := range besideLocked(n) {
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
			if err := s.failures.Add(sp.Path, failed.EntryOf(b.Node, sp.Size, besideAnother(b.Path()))); err != nil {
				return err
			}
		}
		b.Body().Spool = nil
		s.dropNames(b.Node)
	}
	return nil
}

// besideAnother explains why a sidecar file is no longer at path.
func besideAnother(path string) error {
	return &Error{Kind: Damaged, Name: path, Detail: "it belongs to what a program wrote to its database here, and that has another content now; this goes to .paperfs/failed"}
}
