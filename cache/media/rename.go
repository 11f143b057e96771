package media

import (
	"context"

	"paperfs/cache/media/journal"
	"paperfs/cache/media/namelock"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/waiter"
)

// Rename gives a file or directory another name. What it costs:
//
//   - scratch to scratch, and what was never published: nothing
//   - a scratch file to a visible name: the upload, whose outcome this is
//   - a published file: an upload under the new name and a deletion, after a
//     look, where deleting is allowed and offered; else Unsupported, at no
//     request
//   - a directory at the service, or another case of the same name:
//     Unsupported, at no request
//
// With Options.WriteBack what leaves scratch is queued instead.
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

// take plans a rename, and goes its way.
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

// moveHereLocked ends a rename that is a change of the tree alone; s.mu must be held,
// and is let go.
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
	case replaced != nil: // a kill must not find the name with neither content
		err = m.journal.WaitWritten(upto)
	}
	if replaced != nil {
		m.orphan(replaced)
	}
	return err
}

// ensureSpool gives a file that the service does not have a spool even if
// nothing was written to it, so that it stays empty when it replaces another.
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
	needless = n.Pub.ID != 0 // it was published since under another name
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

// cancelUploads cancels those that a rename would wait for: of the file that gets
// another name, and of the one that is replaced. A rename that cannot be fails
// before that.
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
