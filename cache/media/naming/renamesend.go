package naming

import (
	"context"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// This file implements the renames that send requests.

// send uploads a scratch file under its visible name. If that fails, the file stays scratch.
func (m *renaming) send(ctx context.Context) error {
	m.loadForReaders(ctx)
	f, err := m.bodies.Freeze(m.Src)
	if err != nil {
		return err
	}
	var at names.Target
	var up remote.Upload
	err = m.uploads.Changing(ctx, func() (err error) {
		at, err = m.replacing(ctx)
		return err
	}, func() (err error) {
		up, err = m.uploads.UploadFor(ctx, at, f.Content)
		return err
	})
	if err != nil {
		f.Thaw()
		return err
	}
	b := m.Src.Body()
	b.Mu.Lock()
	m.names.Mu.Lock()
	if m.overtakenLocked() {
		m.names.Mu.Unlock()
		b.Mu.Unlock()
		f.Thaw()
		return m.yieldToNewer(up)
	}
	replaced := m.commitLocked()
	m.uploads.RecordUploadLocked(m.Src, m.to(), f, up)
	m.Src.Written = b.Spool != nil
	upto := m.names.SaveLocked(m.Src)
	m.names.Mu.Unlock()
	b.Mu.Unlock()
	f.Thaw()
	return m.finish(replaced, upto)
}

// loadForReaders fetches the content of the file that is about to be replaced if it is open:
// afterwards its address returns the new content.
func (m *renaming) loadForReaders(ctx context.Context) {
	if dst := m.openTarget(); dst != nil {
		_ = m.bodies.Fetch(ctx, dst) // if this fails, later reads fail with an explanation
	}
}

// openTarget returns the file that is about to be replaced if it is open, else nil.
func (m *renaming) openTarget() *tree.Node {
	m.names.Mu.RLock()
	dst := m.Dir.Children[m.Name]
	m.names.Mu.RUnlock()
	if dst == nil || dst.Kind != inode.File || !m.names.InUse(dst) {
		return nil
	}
	return dst
}

// fetchWhole fetches all of Src's content, also for the programs that have it open: afterwards its old
// address returns nothing. A program that begins to change a part meanwhile gets the rest from what came.
func (m *renaming) fetchWhole(ctx context.Context) error {
	err := m.bodies.Fetch(ctx, m.Src)
	m.bodies.Complete(m.Src)
	return err
}

// to returns the new name, which is locked.
func (m *renaming) to() waiter.Name { return waiter.NameOf(m.Dir.Ino, m.Name) }

// finish completes a rename whose change of the tree has number upto. Until that is durable,
// rows name the spools by their old names, so the spools must stay.
func (m *renaming) finish(replaced *tree.Node, upto uint64) error {
	err := m.names.Journal.WaitSynced(upto)
	if replaced != nil {
		m.bodies.DropRemoved(replaced)
	}
	m.settle()
	return err
}

// settle finalizes Src, unless its content is queued.
func (m *renaming) settle() {
	if !m.handles.CloseQueuedSpool(m.Src) {
		_ = m.handles.FinalizeUnderNameLock(m.Src) // after an error it is tried again
	}
}

// OvertakenLocked reports, if the caller of the rename has left, whether the replaced file was
// overtaken or the target directory was removed; Tree.Mu must be held.
func (m *renaming) overtakenLocked() bool {
	gone := m.Dir.Parent == nil && m.Dir != m.names.Root
	return m.caller.Err() != nil && (gone || m.Naming.overtakenLocked(m.planned, m.Dir.Children[m.Name]))
}

// yieldToNewer keeps the newer local content at the new name, and the old name. The service has the
// uploaded content under the new name.
func (m *renaming) yieldToNewer(up remote.Upload) error {
	m.names.Mu.Lock()
	defer m.names.Mu.Unlock()
	m.uploads.ShowSentOfLocked(names.TargetIn(m.Dir, m.Name), m.Src, up)
	return errOvertaken(m.Name)
}
