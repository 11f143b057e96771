package media

import (
	"context"

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
func (s *Store) Rename(ctx context.Context, from Ino, name string, to Ino, newName string, noReplace bool, comm string) error {
	if err := s.enterFor(journal.RoomToMake); err != nil {
		return err
	}
	defer s.work.Done()
	return s.rename(ctx, from, name, to, &renaming{Store: s, Rename: plan.Rename{Name: newName, NoReplace: noReplace, Comm: comm}, caller: waiter.Of(ctx)})
}

// rename is Rename as m says.
func (s *Store) rename(ctx context.Context, from Ino, name string, to Ino, m *renaming) error {
	newName, noReplace, comm := m.Name, m.NoReplace, m.Comm
	at := []waiter.Name{waiter.NameOf(from, name), waiter.NameOf(to, newName)}
	m.noteShown(to)
	if err := s.names.AwaitLate(ctx, at...); err != nil {
		return waiter.ErrLeft
	}
	c, err := m.cancelUploads(from, name, to)
	if err != nil {
		return err
	}
	defer c.resume()
	unlock, err := s.names.LockFor(ctx, at...)
	if err != nil {
		return err
	}
	defer unlock()
	c.refreshIfUnsure(ctx)
	m.noteSeen(from, name)
	if noReplace && !m.moves {
		if err := s.CheckNewName(ctx, to, newName, comm); err != nil {
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
	m.mu.Lock()
	defer m.mu.Unlock()
	if n, none := m.childLocked(to, newName); none == nil && (noReplace && refusal.Is(err, Exists) || refusal.Is(err, Newer) && m.differsLocked()) {
		m.unseenNowLocked(n) // cancelUploads found it free, or as it was
	}
	return err
}

// execute plans the rename and executes the plan.
func (m *renaming) execute(ctx context.Context, from Ino, name string, to Ino) error {
	m.mu.Lock()
	way, err := m.planLocked(from, name, to)
	if way == plan.InTree && err == nil {
		return m.renameInTreeLocked()
	}
	m.mu.Unlock()
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

// renameInTreeLocked completes a rename that only changes the tree in memory. s.mu must be held;
// renameInTreeLocked unlocks it.
func (m *renaming) renameInTreeLocked() error {
	waited := m.Src.Queued()
	replaced := m.commitLocked()
	if m.Local && m.Src.Kind == Directory {
		m.makeScratchLocked(m.Src)
	}
	upto := m.saveLocked(m.Src)
	m.mu.Unlock()
	var err error
	switch {
	case !m.Local || waited:
		err = m.journal.WaitSynced(upto)
	case replaced != nil: // after a kill the name must have one of the two contents
		err = m.journal.WaitWritten(upto)
	}
	if replaced != nil {
		m.orphan(replaced)
	}
	return err
}

// ensureSpool creates an empty spool for a file that the service does not have and that was
// never written, so that it replaces another file with empty content.
func (s *Store) ensureSpool(dir Ino, name string) error {
	s.mu.RLock()
	n, err := s.childLocked(dir, name)
	needless := err != nil || n.Kind != File || n.Pub.ID != 0
	s.mu.RUnlock()
	if needless {
		return err
	}
	n.Body().Mu.Lock()
	defer n.Body().Mu.Unlock()
	s.mu.RLock()
	needless = n.Pub.ID != 0 // it was published in the meantime, under another name
	s.mu.RUnlock()
	if needless || n.Body().Spool != nil {
		return nil
	}
	return s.draftEmptyBodyLocked(n)
}

// cancelUploads cancels the uploads that a rename would wait for: of the renamed file and of
// the replaced one. A rename that is not possible fails first.
func (m *renaming) cancelUploads(from Ino, name string, to Ino) (*cancelledUploads, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &cancelledUploads{Store: m.Store}
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
