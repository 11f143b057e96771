package naming

import (
	"context"
	"errors"

	"paperfs/cache/content/reading"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/remote"
)

// This file implements the rename of a published file to a scratch name.

// unpublish turns a published file into scratch: it fetches the content, then deletes the file
// at the service.
func (m *renaming) unpublish(ctx context.Context) error {
	if err := m.fetchToSpool(ctx); err != nil {
		return err
	}
	m.names.Mu.Lock()
	id := m.Src.Pub.ID
	m.Src.Own().Intent = true
	upto := m.names.SaveLocked(m.Src)
	m.names.Mu.Unlock()
	err := m.names.Journal.WaitSynced(upto)
	if err == nil {
		err = m.deleteAtService(ctx, m.Src, m.From.Dir.Ino, m.From.Name, m.seen, id)
	}
	if err != nil {
		m.keepOldName(0, err)
		return err
	}
	m.names.Mu.Lock()
	if m.targetLostLocked() {
		m.names.Mu.Unlock()
		err := refusal.NoSuchFile(m.Name)
		m.keepOldName(id, err)
		return err
	}
	replaced := m.commitLocked()
	m.names.ForgetFileLocked(m.Src, id)
	m.Src.Pub = tree.Version{}
	m.Src.Written, m.Src.Own().Intent = true, false
	upto = m.names.SaveLocked(m.Src)
	m.Src.Own().CancelledAt = upto
	m.names.Mu.Unlock()
	err = m.names.Journal.WaitSynced(upto)
	if replaced != nil {
		m.bodies.DropRemoved(replaced)
	}
	return err
}

// targetLostLocked reports whether the scratch directory that a file moves to was removed or
// became visible; Tree.Mu must be held.
func (m *renaming) targetLostLocked() bool {
	return m.Dir.Parent == nil && m.Dir != m.names.Root || m.Hides && !m.Dir.Local()
}

// keepOldName keeps the name of a file that was to become scratch. If the file was deleted at
// the service (with id deleted), or may have been, the local content is the only copy: it is
// queued unless it is already.
func (m *renaming) keepOldName(deleted int64, err error) {
	b := m.Src.Body()
	b.Mu.Lock()
	m.names.Mu.Lock()
	e, ok := errors.AsType[*remote.Error](err)
	m.Src.Own().Intent = false
	if deleted != 0 {
		m.names.ForgetFileLocked(m.Src, deleted)
		m.Src.Pub = tree.Version{}
	}
	if (deleted != 0 || ok && e.Ambiguous) && m.Src.Parent != nil && !m.Src.Queued() {
		m.Naming.bodies.EnqueueLocked(m.Src, nil)
	}
	m.names.SaveLocked(m.Src)
	m.names.Mu.Unlock()
	b.Mu.Unlock()
	m.settle()
}

// fetchToSpool gives Src a durable spool with its content, which is the only copy after the
// deletion.
func (m *renaming) fetchToSpool(ctx context.Context) error {
	source, err := m.bodies.OpenSource(ctx, m.Src)
	if source != nil {
		defer source.Release()
		err = m.bodies.Explain(ctx, m.Src, m.bodies.LoadWhole(ctx, source))
	}
	m.bodies.Complete(m.Src)
	if err != nil {
		return err
	}
	b := m.Src.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	switch {
	case b.Spool != nil && b.Spool.Lack != nil:
		return body.Lacking(b)
	case b.Spool != nil:
		err = b.Spool.Open()
	default:
		err = m.draftOfBodyLocked(source)
	}
	if err != nil {
		return err
	}
	return m.bodies.Spools.Sync(b.Spool)
}

// draftOfBodyLocked gives Src a spool with the content of source; without a source the spool is empty.
func (m *renaming) draftOfBodyLocked(source *reading.Source) (err error) {
	var sp *spool.File
	if source == nil || source.Size() == 0 {
		sp, err = m.bodies.Spools.Create()
	} else {
		sp, err = m.bodies.Spools.From(source.File(), source.Size())
	}
	if err != nil {
		return err
	}
	m.bodies.DraftBodyLocked(m.Src, sp)
	m.names.Mu.Lock()
	defer m.names.Mu.Unlock()
	m.Src.Body().Sum = m.Src.Pub.SHA256.String()
	m.Src.Own().Size, m.Src.Written = sp.Size, true
	return nil
}
