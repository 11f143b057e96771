package media

import (
	"context"

	"paperfs/cache/media/journal"
	"paperfs/cache/media/namelock"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/waiter"
)

// Rename renames a file or directory. The cost depends on what is renamed:
//
//   - scratch to scratch, and files that were never published: no request
//   - scratch file to visible name: an upload, whose outcome Rename returns
//   - published file: a check of the tree, an upload under the new name and a deletion, if
//     deleting is allowed and offered; else Unsupported, without a request
//   - directory at the service, or a change of case only: Unsupported, without a request
//
// With Options.WriteBack, content that leaves scratch is queued instead.
func (s *Store) Rename(ctx context.Context, from Ino, name string, to Ino, newName string, noReplace bool, comm string) error {
	if err := s.enterFor(journal.RoomToMake); err != nil {
		return err
	}
	defer s.work.Done()
	at := []namelock.Name{namelock.Of(from, name), namelock.Of(to, newName)}
	if err := s.names.AwaitLate(ctx, at...); err != nil {
		return waiter.ErrLeft
	}
	m := &move{Store: s, Rename: plan.Rename{Name: newName, NoReplace: noReplace, Comm: comm}, caller: waiter.Of(ctx)}
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
	c.learn(ctx)
	m.see(from, name)
	if noReplace {
		if err := s.LookForNew(ctx, to, newName, comm); err != nil {
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
		err = m.take(ctx, from, name, to)
	}
	return err
}

// take plans the rename and executes the plan.
func (m *move) take(ctx context.Context, from Ino, name string, to Ino) error {
	m.mu.Lock()
	way, err := m.planLocked(from, name, to)
	for err == nil && (way == plan.Queue || way == plan.Send) && len(m.Src.Also) > 0 {
		m.mu.Unlock()
		if err := m.part(m.Src, m.From); err != nil {
			return err
		}
		m.mu.Lock()
		way, err = m.planLocked(from, name, to)
	}
	if way == plan.Here && err == nil {
		return m.moveHereLocked()
	}
	m.mu.Unlock()
	if err != nil {
		return err
	}
	switch way {
	case plan.Queue:
		return m.enqueue()
	case plan.Send:
		return m.send(ctx)
	case plan.Leave:
		return m.leave(ctx)
	case plan.Resend:
		return m.resend(ctx)
	case plan.Withdraw:
		return m.withdraw(ctx)
	}
	return nil
}

// moveHereLocked completes a rename that only changes the tree in memory. s.mu must be held;
// moveHereLocked unlocks it.
func (m *move) moveHereLocked() error {
	waited := m.Src.Queued()
	replaced := m.commitLocked()
	if m.Local && m.Src.Kind == Directory {
		m.stayLocked(m.Src)
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
	sp, err := s.spools.Create(n.Ino)
	if err == nil {
		n.Body().Spool = sp
	}
	return err
}

// cancelUploads cancels the uploads that a rename would wait for: of the renamed file and of
// the replaced one. A rename that is not possible fails first.
func (m *move) cancelUploads(from Ino, name string, to Ino) (*cancelledUploads, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &cancelledUploads{Store: m.Store}
	if way, err := m.planLocked(from, name, to); err != nil || way == plan.Nothing {
		return c, err
	}
	c.cancelLocked(m.Src)
	if dst := m.Dir.Children[m.Name]; dst != nil {
		c.cancelLocked(dst)
	}
	return c, nil
}
