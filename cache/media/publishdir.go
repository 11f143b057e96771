package media

import (
	"context"

	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
)

// sendDir makes a directory at the service unless it is there.
func (s *Store) sendDir(ctx context.Context, n *tree.Node) error {
	unlock := s.lockNode(n)
	defer unlock()
	s.mu.Lock()
	parent, name := n.Parent, n.Name
	needless := parent == nil || n.Local() || n.ID != 0
	if !needless {
		n.Own().Making++
	}
	s.mu.Unlock()
	if needless {
		return nil
	}
	defer func() {
		s.mu.Lock()
		n.Making--
		s.mu.Unlock()
	}()
	if err := s.makeDirs(ctx, parent); err != nil {
		return err
	}
	s.mu.RLock()
	in := parent.ID
	s.mu.RUnlock()
	id, err := s.o.Service.CreateDirectory(ctx, in, name)
	if forGood(err) {
		id, err = s.lookForDir(ctx, n, err)
	}
	if err != nil {
		s.Forget()
		return err
	}
	s.mu.Lock()
	n.ID = id
	s.indexLocked(n)
	s.setQueuedLocked(n, false)
	s.serial++
	n.Own().Changed = s.serial
	upto := s.keepLocked(n)
	s.arrivedLocked(n)
	s.mu.Unlock()
	return s.journal.WaitSynced(upto)
}

// lookForDir looks whether a directory that could not be made, with refusal,
// is there because others have made it.
func (s *Store) lookForDir(ctx context.Context, n *tree.Node, refusal error) (int64, error) {
	if err := s.Refresh(ctx); err != nil {
		return 0, refusal
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.ID == 0 {
		return 0, refusal
	}
	return n.ID, nil
}

// makeDirs has the service know dir and all that it lies in. The name of
// something in it may be locked.
func (s *Store) makeDirs(ctx context.Context, dir *tree.Node) error {
	s.mu.RLock()
	made, gone, parent := dir.Made(), dir.Parent == nil || dir.Local(), dir.Parent
	s.mu.RUnlock()
	switch {
	case made:
		return nil
	case gone: // or became scratch: what was in it must not go elsewhere
		return refusal.NoSuchFile(dir.Name)
	}
	if err := s.makeDirs(ctx, parent); err != nil {
		return err
	}
	if err := s.sendDir(ctx, dir); err != nil {
		return err
	}
	return s.makeDirs(ctx, dir)
}
