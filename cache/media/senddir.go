package media

import (
	"context"

	"paperfs/cache/media/refusal"
)

// sendDir makes a directory at the service unless it is there.
func (s *Store) sendDir(ctx context.Context, n *node) error {
	unlock := s.lockNode(n)
	defer unlock()
	s.mu.Lock()
	parent, name := n.parent, n.name
	needless := parent == nil || n.local() || n.id != 0
	if !needless {
		n.own().making++
	}
	s.mu.Unlock()
	if needless {
		return nil
	}
	defer func() {
		s.mu.Lock()
		n.making--
		s.mu.Unlock()
	}()
	if err := s.makeDirs(ctx, parent); err != nil {
		return err
	}
	s.mu.RLock()
	in := parent.id
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
	n.id = id
	s.indexLocked(n)
	s.setQueuedLocked(n, false)
	s.serial++
	n.own().changed = s.serial
	upto := s.keepLocked(n)
	s.arrivedLocked(n)
	s.mu.Unlock()
	return s.table.wait(upto)
}

// lookForDir looks whether a directory that could not be made, with refusal,
// is there because others have made it.
func (s *Store) lookForDir(ctx context.Context, n *node, refusal error) (int64, error) {
	if err := s.Refresh(ctx); err != nil {
		return 0, refusal
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.id == 0 {
		return 0, refusal
	}
	return n.id, nil
}

// makeDirs has the service know dir and all that it lies in. The place of
// something in it may be locked.
func (s *Store) makeDirs(ctx context.Context, dir *node) error {
	s.mu.RLock()
	made, gone, parent := dir.made(), dir.parent == nil || dir.local(), dir.parent
	s.mu.RUnlock()
	switch {
	case made:
		return nil
	case gone: // or became scratch: what was in it must not go elsewhere
		return refusal.NoSuchFile(dir.name)
	}
	if err := s.makeDirs(ctx, parent); err != nil {
		return err
	}
	if err := s.sendDir(ctx, dir); err != nil {
		return err
	}
	return s.makeDirs(ctx, dir)
}
