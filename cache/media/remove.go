package media

import (
	"context"

	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// Unlink removes a file. A file that was never published is local and costs no request. A
// published file requires Options.AllowDelete and costs 1 request, after a check of the tree. A
// queued upload is cancelled; if it may have taken effect, 1 request checks that.
func (s *Store) Unlink(ctx context.Context, dir Ino, name string) error {
	if err := s.enterFor(journal.RoomToRemove); err != nil {
		return err
	}
	defer s.work.Done()
	if err := s.AwaitName(ctx, dir, name); err != nil {
		return waiter.ErrLeft
	}
	c := &cancelledUploads{Store: s}
	s.mu.Lock()
	n, err := s.childLocked(dir, name)
	switch {
	case err != nil || n.Kind != File:
	case s.removableLocked(n) != nil:
		err = s.removableLocked(n)
	default:
		c.cancelLocked(n)
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	defer c.resume()
	unlock, err := s.names.LockFor(ctx, waiter.NameOf(dir, name))
	if err != nil {
		return err
	}
	defer unlock()
	c.refreshIfUnsure(ctx)
	s.mu.Lock()
	n, err = s.childLocked(dir, name)
	switch {
	case err != nil:
	case n.Kind == Directory:
		err = &Error{Kind: IsDirectory, Name: name, Detail: "a directory"}
	case n.Theirs.ID != 0:
		err = errNewer(n.Path())
	case n.Pub.ID == 0:
		return s.removeUnsentLocked(n, tree.Link{Dir: s.nodes[dir], Name: name})
	default:
		err = s.removableLocked(n)
	}
	id, seen, was := int64(0), tree.Version{}, plannedOn(n)
	if err == nil {
		id, seen = n.Pub.ID, n.Pub
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if s.inUse(n) {
		_ = s.fetch(ctx, n) // for its readers: the address is deleted with the file
	}
	if err := s.deleteAtService(ctx, n, dir, name, seen, id); err != nil {
		return err
	}
	s.mu.Lock()
	s.forgetFileLocked(n, id)
	if waiter.HasLeft(ctx) && n.Parent != nil && s.overtakenLocked(was, n) {
		n.Pub = tree.Version{}
		s.saveLocked(n)
		s.mu.Unlock()
		return errOvertaken(name)
	}
	if n.Parent != nil {
		s.removeLocked(n, tree.Link{Dir: n.Parent, Name: n.Name})
	}
	upto := s.saveLocked(n)
	s.mu.Unlock()
	err = s.journal.WaitSynced(upto)
	s.orphan(n)
	return err
}

// Rmdir removes an empty directory. A directory at the service requires Options.AllowDelete and
// 2 requests: it reads the tree first and deletes nothing if the directory is not empty or the
// request fails. Where the service compares versions, it is 1.
func (s *Store) Rmdir(ctx context.Context, dir Ino, name string) error {
	if err := s.enterFor(journal.RoomToRemove); err != nil {
		return err
	}
	defer s.work.Done()
	unlock, err := s.names.LockFor(ctx, waiter.NameOf(dir, name))
	if err != nil {
		return err
	}
	defer unlock()
	n, id, err := s.emptyDir(dir, name)
	if err != nil || id == 0 {
		return err
	}
	still := func() error {
		if !s.offersTree() {
			return &Error{Kind: Unsupported, Name: name, Detail: "the service does not offer the media tree, so paperfs cannot tell whether the directory is empty"}
		}
		_, _, err := s.emptyDir(dir, name)
		return err
	}
	if _, err = s.changeAtService(ctx, remote.DeleteDirectory, n, dir, name, still, func(ctx context.Context) error { return s.o.Service.DeleteDirectory(ctx, id) }); err != nil {
		return err
	}
	s.mu.Lock()
	s.serial++
	s.deletedDirs[id] = s.serial
	delete(s.dirs, id)
	if n.Parent != nil {
		s.removeLocked(n, tree.Link{Dir: n.Parent, Name: n.Name})
	}
	upto := s.saveLocked(n)
	s.mu.Unlock()
	return s.journal.WaitSynced(upto)
}

// emptyDir finds a directory that may be deleted at the service. It removes a local one at
// once, and returns id 0.
func (s *Store) emptyDir(dir Ino, name string) (n *tree.Node, id int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err = s.childLocked(dir, name)
	switch {
	case err != nil:
		return nil, 0, err
	case n.Kind != Directory:
		return nil, 0, &Error{Kind: NotDirectory, Name: name, Detail: "not a directory"}
	case len(n.Children) > 0:
		return nil, 0, &Error{Kind: NotEmpty, Name: name, Detail: "the directory is not empty"}
	case n.ID == 0:
		defer s.mu.Lock()
		return nil, 0, s.removeUnsentLocked(n, tree.Link{Dir: n.Parent, Name: n.Name})
	case !s.o.AllowDelete:
		return nil, 0, refusal.DeleteForbidden(name)
	}
	return n, n.ID, nil
}

// removeUnsentLocked removes a name of what the service does not have. s.mu must be held; removeUnsentLocked unlocks it.
func (s *Store) removeUnsentLocked(n *tree.Node, at tree.Link) error {
	waited := n.Queued()
	s.removeLocked(n, at)
	upto := s.saveLocked(n)
	s.mu.Unlock()
	wait := s.journal.WaitSynced // it must not return after a power loss, and no kill may leave its row without content
	if !waited {
		s.disown(n)
		wait = s.journal.WaitWritten
	}
	err := wait(upto)
	s.orphan(n)
	return err
}
