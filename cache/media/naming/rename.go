package naming

import (
	"context"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/waiter"
)

// Rename renames a file or directory. The cost depends on what is renamed:
//
//   - scratch to scratch, and files that were never published: no request
//   - scratch file to visible name: an upload, whose outcome Rename returns
//   - published file or directory, or a change of case only: a check of the tree and one request, where
//     the service offers moves
//   - elsewhere a published file: without a request OtherDevice, where a copy and a removal do the same, else Unsupported
//   - published file to a scratch name: a check of the tree and a deletion
//
// It replaces the version that the new name shows at the call, or what programs here put there while it waits for its
// turn, and no other. With Options.WriteBack, content that leaves scratch is queued instead. With noReplace, what has the name unknown
// to programs until then counts as unseen: mv goes on with a rename that replaces.
func (s *Naming) Rename(ctx context.Context, from inode.Ino, name string, to inode.Ino, newName string, noReplace bool, comm string) error {
	if err := s.bodies.EnterFor(journal.RoomToMake); err != nil {
		return err
	}
	defer s.names.Work.Done()
	return s.rename(ctx, from, name, to, &renaming{Naming: s, Rename: plan.Rename{Name: newName, NoReplace: noReplace, Comm: comm}, caller: waiter.Of(ctx)})
}

// rename is Rename as m says.
func (s *Naming) rename(ctx context.Context, from inode.Ino, name string, to inode.Ino, m *renaming) error {
	newName, noReplace, comm := m.Name, m.NoReplace, m.Comm
	at := []waiter.Name{waiter.NameOf(from, name), waiter.NameOf(to, newName)}
	m.noteShown(to)
	if err := s.names.Locks.AwaitLate(ctx, at...); err != nil {
		return waiter.ErrLeft
	}
	c, err := m.cancelUploads(from, name, to)
	if err != nil {
		return err
	}
	defer c.resume()
	unlock, err := s.names.Locks.LockFor(ctx, at...)
	if err != nil {
		return err
	}
	defer unlock()
	c.refreshIfUnsure(ctx)
	m.noteSeen(from, name)
	if noReplace && !m.moves {
		if err := s.reconciler.CheckNewName(ctx, to, newName, comm); err != nil {
			return err
		}
	}
	if err := s.ensureSpool(from, name); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return waiter.ErrLeft
	}
	for err = errReplan; err == errReplan; {
		err = m.execute(ctx, from, name, to)
	}
	m.names.Mu.Lock()
	defer m.names.Mu.Unlock()
	if n, none := m.names.ChildLocked(to, newName); none == nil && (noReplace && refusal.Is(err, refusal.Exists) || refusal.Is(err, refusal.Newer) && m.differsLocked()) {
		m.reconciler.ProtectLocked(n) // cancelUploads found it free, or as it was
	}
	return err
}

// execute plans the rename and executes the plan.
func (m *renaming) execute(ctx context.Context, from inode.Ino, name string, to inode.Ino) error {
	m.names.Mu.Lock()
	way, err := m.planLocked(from, name, to)
	if way == plan.InTree && err == nil {
		return m.renameInTreeLocked()
	}
	m.names.Mu.Unlock()
	if err != nil {
		return err
	}
	if m.pdf != nil {
		return m.publishPDF(ctx, way)
	}
	switch way {
	case plan.Queue:
		return m.enqueue()
	case plan.Send:
		return m.send(ctx)
	case plan.PublishTree:
		return m.publishTree(ctx)
	case plan.Move:
		return m.move(ctx)
	case plan.MoveDir:
		return m.moveDir(ctx)
	case plan.Unpublish:
		return m.unpublish(ctx)
	}
	return nil
}

// renameInTreeLocked completes a rename that only changes the tree in memory. Tree.Mu must be held;
// renameInTreeLocked unlocks it.
func (m *renaming) renameInTreeLocked() error {
	waited := m.Src.Queued()
	replaced := m.commitLocked()
	if m.Local && m.Src.Kind == inode.Directory {
		m.makeScratchLocked(m.Src)
	}
	upto := m.names.SaveLocked(m.Src)
	m.names.Mu.Unlock()
	var err error
	switch {
	case !m.Local || waited:
		err = m.names.Journal.WaitSynced(upto)
	case replaced != nil: // after a kill the name must have one of the two contents
		err = m.names.Journal.WaitWritten(upto)
	}
	if replaced != nil {
		m.bodies.DropRemoved(replaced)
	}
	return err
}

// ensureSpool creates an empty spool for a file that the service does not have and that was
// never written, so that it replaces another file with empty content.
func (s *Naming) ensureSpool(dir inode.Ino, name string) error {
	s.names.Mu.RLock()
	n, err := s.names.ChildLocked(dir, name)
	needless := err != nil || n.Kind != inode.File || n.Pub.ID != 0
	s.names.Mu.RUnlock()
	if needless {
		return err
	}
	n.Body().Mu.Lock()
	defer n.Body().Mu.Unlock()
	s.names.Mu.RLock()
	needless = n.Pub.ID != 0 // it was published in the meantime, under another name
	s.names.Mu.RUnlock()
	if needless || n.Body().Spool != nil {
		return nil
	}
	return s.bodies.DraftEmptyBodyLocked(n)
}

// cancelUploads cancels the uploads that a rename would wait for: of the renamed file and of
// the replaced one. A rename that is not possible fails first.
func (m *renaming) cancelUploads(from inode.Ino, name string, to inode.Ino) (*cancelledUploads, error) {
	m.names.Mu.Lock()
	defer m.names.Mu.Unlock()
	c := &cancelledUploads{Naming: m.Naming}
	way, err := m.planLocked(from, name, to)
	if err != nil || way == plan.Nothing {
		return c, err
	}
	m.moves = way == plan.Move || way == plan.MoveDir
	c.cancelLocked(m.Src)
	if dst := m.Dir.Children[m.Name]; dst != nil {
		c.cancelLocked(dst)
	}
	return c, nil
}
