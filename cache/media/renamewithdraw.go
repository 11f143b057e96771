package media

import (
	"context"
	"errors"

	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// This file is about the rename that makes scratch of a published file.

// withdraw makes a published file scratch: its content comes here, then it is
// deleted at the service.
func (m *move) withdraw(ctx context.Context) error {
	if err := m.bringHere(ctx); err != nil {
		return err
	}
	if err := m.unchanged(ctx); err != nil {
		m.settleHere(m.src)
		return err
	}
	m.mu.Lock()
	id := m.src.Pub.ID
	m.src.Own().Intent = true
	upto := m.keepLocked(m.src)
	m.mu.Unlock()
	err := m.journal.WaitSynced(upto)
	if err == nil {
		err = m.deleteThere(waiter.Begun(ctx), m.src, m.from.Dir.Ino, m.from.Name, id)
	}
	if err != nil {
		m.Forget()
		m.stayBehind(0, err)
		return err
	}
	m.mu.Lock()
	if m.homelessLocked() {
		m.mu.Unlock()
		err := refusal.NoSuchFile(m.name)
		m.stayBehind(id, err)
		return err
	}
	replaced := m.commitLocked()
	m.forgetFileLocked(m.src, id)
	m.src.Pub = tree.Version{}
	m.src.Written, m.src.Own().Intent = true, false
	upto = m.keepLocked(m.src)
	m.src.Own().Left = upto
	m.mu.Unlock()
	err = m.journal.WaitSynced(upto)
	if replaced != nil {
		m.orphan(replaced)
	}
	return err
}

// homelessLocked reports whether the scratch directory that a file goes to is gone, or
// has become visible; m.mu must be held.
func (m *move) homelessLocked() bool {
	return m.dir.Parent == nil && m.dir != m.root || m.hides && !m.dir.Local()
}

// stayBehind keeps the name of a file that was to become scratch. Where it was
// deleted at the service, with an id, or may have been for all that is known, the
// content here is the only one: it is sent again, unless it is queued.
func (m *move) stayBehind(deleted int64, err error) {
	b := m.src.Body()
	b.Mu.Lock()
	m.mu.Lock()
	e, ok := errors.AsType[*remote.Error](err)
	m.src.Own().Intent = false
	if deleted != 0 {
		m.forgetFileLocked(m.src, deleted)
		m.src.Pub = tree.Version{}
	}
	if (deleted != 0 || ok && e.Ambiguous) && m.src.Parent != nil && !m.src.Queued() {
		m.Store.enqueueLocked(m.src, nil)
	}
	m.keepLocked(m.src)
	m.mu.Unlock()
	b.Mu.Unlock()
	if !m.shutQueued(m.src) {
		m.settleHere(m.src)
	}
}

// bringHere gives src a durable spool with its content: it is the only one from
// the deletion on.
func (m *move) bringHere(ctx context.Context) error {
	b := m.src.Body()
	if done, err := m.syncHere(); done || err != nil {
		return err
	}
	content, err := m.publishedContent(ctx, m.src)
	if err != nil {
		return err
	}
	defer content.Close()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Spool != nil {
		return m.spools.Sync(b.Spool)
	}
	if content.F == nil {
		b.Spool, err = m.spools.Create(m.src.Ino)
	} else {
		b.Spool, err = m.spools.From(m.src.Ino, content.F, content.Length)
	}
	if err != nil {
		return err
	}
	m.mu.Lock()
	b.Sum = m.src.Pub.SHA256.String()
	m.src.Own().Size, m.src.Written = b.Spool.Size, true
	m.mu.Unlock()
	return m.spools.Sync(b.Spool)
}

// syncHere makes src's spool durable, if there is one.
func (m *move) syncHere() (there bool, err error) {
	b := m.src.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Spool == nil {
		return false, nil
	}
	if err := b.Spool.Open(); err != nil {
		return true, err
	}
	return true, m.spools.Sync(b.Spool)
}
