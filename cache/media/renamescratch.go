package media

import (
	"context"
	"errors"

	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// This file implements the rename of a published file to a scratch name.

// unpublish turns a published file into scratch: it fetches the content, then deletes the file
// at the service.
func (m *renaming) unpublish(ctx context.Context) error {
	if err := m.fetchToSpool(ctx); err != nil {
		return err
	}
	if err := m.checkSourceUnchanged(ctx); err != nil {
		_ = m.finalizeUnderNameLock(m.Src) // after an error it is tried again
		return err
	}
	m.mu.Lock()
	id := m.Src.Pub.ID
	m.Src.Own().Intent = true
	upto := m.saveLocked(m.Src)
	m.mu.Unlock()
	err := m.journal.WaitSynced(upto)
	if err == nil {
		err = m.deleteAtService(ctx, m.Src, m.From.Dir.Ino, m.From.Name, m.seen, id)
	}
	if err != nil {
		m.Forget()
		m.keepOldName(0, err)
		return err
	}
	m.mu.Lock()
	if m.targetLostLocked() {
		m.mu.Unlock()
		err := refusal.NoSuchFile(m.Name)
		m.keepOldName(id, err)
		return err
	}
	replaced := m.commitLocked()
	m.forgetFileLocked(m.Src, id)
	m.Src.Pub = tree.Version{}
	m.Src.Written, m.Src.Own().Intent = true, false
	upto = m.saveLocked(m.Src)
	m.Src.Own().CancelledAt = upto
	m.mu.Unlock()
	err = m.journal.WaitSynced(upto)
	if replaced != nil {
		m.orphan(replaced)
	}
	return err
}

// targetLostLocked reports whether the scratch directory that a file moves to was removed or
// became visible; m.mu must be held.
func (m *renaming) targetLostLocked() bool {
	return m.Dir.Parent == nil && m.Dir != m.root || m.Hides && !m.Dir.Local()
}

// keepOldName keeps the name of a file that was to become scratch. If the file was deleted at
// the service (with id deleted), or may have been, the local content is the only copy: it is
// queued unless it is already.
func (m *renaming) keepOldName(deleted int64, err error) {
	b := m.Src.Body()
	b.Mu.Lock()
	m.mu.Lock()
	e, ok := errors.AsType[*remote.Error](err)
	m.Src.Own().Intent = false
	if deleted != 0 {
		m.forgetFileLocked(m.Src, deleted)
		m.Src.Pub = tree.Version{}
	}
	if (deleted != 0 || ok && e.Ambiguous) && m.Src.Parent != nil && !m.Src.Queued() {
		m.Store.enqueueLocked(m.Src, nil)
	}
	m.saveLocked(m.Src)
	m.mu.Unlock()
	b.Mu.Unlock()
	m.settle()
}

// fetchToSpool gives Src a durable spool with its content, which is the only copy after the
// deletion.
func (m *renaming) fetchToSpool(ctx context.Context) error {
	b := m.Src.Body()
	if err := m.fetchWhole(ctx); err != nil {
		return err
	}
	if done, err := m.syncSpool(); done || err != nil {
		return err
	}
	content, err := m.publishedContent(ctx, m.Src)
	if err != nil {
		return err
	}
	defer content.Close()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if done, err := m.syncSpoolBodyLocked(); done || err != nil {
		return err
	}
	if content.F == nil {
		err = m.draftEmptyBodyLocked(m.Src)
	} else if sp, copied := m.spools.From(content.F, content.Length); copied == nil {
		m.draftBodyLocked(m.Src, sp)
	} else {
		err = copied
	}
	if err != nil {
		return err
	}
	m.mu.Lock()
	b.Sum = m.Src.Pub.SHA256.String()
	m.Src.Own().Size, m.Src.Written = b.Spool.Size, true
	m.mu.Unlock()
	return m.spools.Sync(b.Spool)
}

// syncSpool syncs Src's spool if there is one.
func (m *renaming) syncSpool() (there bool, err error) {
	b := m.Src.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	return m.syncSpoolBodyLocked()
}

func (m *renaming) syncSpoolBodyLocked() (there bool, err error) {
	b := m.Src.Body()
	if b.Spool == nil {
		return false, nil
	}
	if b.Spool.Lack != nil {
		return true, lacking(b)
	}
	if err := b.Spool.Open(); err != nil {
		return true, err
	}
	return true, m.spools.Sync(b.Spool)
}
