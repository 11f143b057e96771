package naming

import (
	"context"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// Unlink removes a file. A file that was never published is local and costs no request. A
// published file requires Options.AllowDelete and costs 1 request, after a check of the tree. A
// queued upload is cancelled; if it may have taken effect, 1 request checks that.
func (s *Naming) Unlink(ctx context.Context, dir inode.Ino, name string) error {
	if err := s.bodies.EnterFor(journal.RoomToRemove); err != nil {
		return err
	}
	defer s.names.Work.Done()
	if err := s.names.AwaitName(ctx, dir, name); err != nil {
		return waiter.ErrLeft
	}
	c, err := s.cancelRemoved(dir, name)
	if err != nil {
		return err
	}
	defer c.resume()
	unlock, err := s.names.Locks.LockFor(ctx, waiter.NameOf(dir, name))
	if err != nil {
		return err
	}
	defer unlock()
	c.refreshIfUnsure(ctx)
	s.names.Mu.Lock()
	n, err := s.names.ChildLocked(dir, name)
	switch {
	case err != nil:
	case n.Kind == inode.Directory:
		err = &refusal.Error{Kind: refusal.IsDirectory, Name: name, Detail: "a directory"}
	case n.Theirs.ID != 0:
		err = reconcile.ErrNewer(n.Path())
	case n.Pub.ID == 0:
		return s.removeUnsentLocked(n, tree.Link{Dir: s.names.Nodes[dir], Name: name})
	default:
		err = s.removableLocked(n)
	}
	was := plannedOn(n)
	s.names.Mu.Unlock()
	if err != nil {
		return err
	}
	return s.removePublished(ctx, n, dir, name, was)
}

// removePublished removes a published file whose name is locked, if the service still has the version that it was planned to remove.
func (s *Naming) removePublished(ctx context.Context, n *tree.Node, dir inode.Ino, name string, was planned) error {
	if s.names.InUse(n) {
		_ = s.bodies.Fetch(ctx, n) // for its readers: the address is deleted with the file
	}
	if err := s.deleteAtService(ctx, n, dir, name, was.shown, was.shown.ID); err != nil {
		return err
	}
	s.names.Mu.Lock()
	s.names.ForgetFileLocked(n, was.shown.ID)
	if waiter.HasLeft(ctx) && n.Parent != nil && s.overtakenLocked(was, n) {
		n.Pub = tree.Version{}
		s.names.SaveLocked(n)
		s.names.Mu.Unlock()
		return errOvertaken(name)
	}
	if n.Parent != nil {
		s.names.RemoveLocked(n, tree.Link{Dir: n.Parent, Name: n.Name})
	}
	upto := s.names.SaveLocked(n)
	s.names.Mu.Unlock()
	err := s.names.Journal.WaitSynced(upto)
	s.bodies.DropRemoved(n)
	return err
}

// cancelRemoved cancels the upload of a file that is about to be removed, if it may be.
func (s *Naming) cancelRemoved(dir inode.Ino, name string) (*cancelledUploads, error) {
	c := &cancelledUploads{Naming: s}
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	n, err := s.names.ChildLocked(dir, name)
	if err == nil && n.Kind == inode.File {
		if err = s.removableLocked(n); err == nil {
			c.cancelLocked(n)
		}
	}
	return c, err
}

// Rmdir removes an empty directory. A directory at the service requires Options.AllowDelete and
// 2 requests: it reads the tree first and deletes nothing if the directory is not empty or the
// request fails. Where the service compares versions, it is 1.
func (s *Naming) Rmdir(ctx context.Context, dir inode.Ino, name string) error {
	if err := s.bodies.EnterFor(journal.RoomToRemove); err != nil {
		return err
	}
	defer s.names.Work.Done()
	unlock, err := s.names.Locks.LockFor(ctx, waiter.NameOf(dir, name))
	if err != nil {
		return err
	}
	defer unlock()
	n, id, err := s.emptyDir(dir, name)
	if err != nil || id == 0 {
		return err
	}
	still := func() error {
		if !s.reconciler.OffersTree() {
			return &refusal.Error{Kind: refusal.Unsupported, Name: name, Detail: "the service does not offer the media tree, so paperfs cannot tell whether the directory is empty"}
		}
		_, _, err := s.emptyDir(dir, name)
		return err
	}
	if _, err = s.changeAtService(ctx, remote.DeleteDirectory, n, dir, name, still, func(ctx context.Context) error { return s.o.Service.DeleteDirectory(ctx, id) }); err != nil {
		return err
	}
	s.names.Mu.Lock()
	s.names.ForgetDirLocked(id)
	if n.Parent != nil {
		s.names.RemoveLocked(n, tree.Link{Dir: n.Parent, Name: n.Name})
	}
	upto := s.names.SaveLocked(n)
	s.names.Mu.Unlock()
	return s.names.Journal.WaitSynced(upto)
}

// emptyDir finds a directory that may be deleted at the service. It removes a local one at
// once, and returns id 0.
func (s *Naming) emptyDir(dir inode.Ino, name string) (n *tree.Node, id int64, err error) {
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	n, err = s.names.ChildLocked(dir, name)
	switch {
	case err != nil:
		return nil, 0, err
	case n.Kind != inode.Directory:
		return nil, 0, &refusal.Error{Kind: refusal.NotDirectory, Name: name, Detail: "not a directory"}
	case len(n.Children) > 0:
		return nil, 0, &refusal.Error{Kind: refusal.NotEmpty, Name: name, Detail: "the directory is not empty"}
	case n.ID == 0:
		defer s.names.Mu.Lock()
		return nil, 0, s.removeUnsentLocked(n, tree.Link{Dir: n.Parent, Name: n.Name})
	case !s.o.AllowDelete:
		return nil, 0, refusal.DeleteForbidden(name)
	}
	return n, n.ID, nil
}

// removeUnsentLocked removes a name of what the service does not have. Tree.Mu must be held; removeUnsentLocked unlocks it.
func (s *Naming) removeUnsentLocked(n *tree.Node, at tree.Link) error {
	waited := n.Queued()
	s.names.RemoveLocked(n, at)
	upto := s.names.SaveLocked(n)
	s.names.Mu.Unlock()
	wait := s.names.Journal.WaitSynced // it must not return after a power loss, and no kill may leave its row without content
	if !waited {
		s.bodies.Disown(n)
		wait = s.names.Journal.WaitWritten
	}
	err := wait(upto)
	s.bodies.DropRemoved(n)
	return err
}
