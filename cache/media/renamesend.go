package media

import (
	"cmp"
	"context"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// This file implements the renames that send requests.

// send uploads a scratch file under its visible name. If that fails, the file stays scratch.
func (m *renaming) send(ctx context.Context) error {
	m.loadForReaders(ctx)
	f, err := m.freeze(m.Src)
	if err != nil {
		return err
	}
	var at target
	var up remote.Upload
	err = m.changing(ctx, func() (err error) {
		at, err = m.replacing(ctx)
		return err
	}, func() (err error) {
		up, err = m.uploadFor(ctx, at, f.content)
		return err
	})
	if err != nil {
		f.thaw()
		return err
	}
	b := m.Src.Body()
	b.Mu.Lock()
	m.mu.Lock()
	if m.overtakenLocked() {
		m.mu.Unlock()
		b.Mu.Unlock()
		f.thaw()
		return m.yieldToNewer(up)
	}
	replaced := m.commitLocked()
	m.recordUploadLocked(m.Src, m.to(), f, up)
	m.Src.Written = b.Spool != nil
	upto := m.saveLocked(m.Src)
	m.mu.Unlock()
	b.Mu.Unlock()
	f.thaw()
	return m.finish(replaced, upto)
}

// loadForReaders fetches the content of the file that is about to be replaced if it is open:
// afterwards its address returns the new content.
func (m *renaming) loadForReaders(ctx context.Context) {
	if dst := m.openTarget(); dst != nil {
		_ = m.fetch(ctx, dst) // if this fails, later reads fail with an explanation
	}
}

// openTarget returns the file that is about to be replaced if it is open, else nil.
func (m *renaming) openTarget() *tree.Node {
	m.mu.RLock()
	dst := m.Dir.Children[m.Name]
	m.mu.RUnlock()
	if dst == nil || dst.Kind != File || !m.inUse(dst) {
		return nil
	}
	return dst
}

// fetchWhole fetches all of Src's content, also for the programs that have it open: afterwards its old
// address returns nothing. A program that begins to change a part meanwhile gets the rest from what came.
func (m *renaming) fetchWhole(ctx context.Context) error {
	err := m.fetch(ctx, m.Src)
	m.complete(m.Src)
	return err
}

// to returns the new name, which is locked.
func (m *renaming) to() waiter.Name { return waiter.NameOf(m.Dir.Ino, m.Name) }

// finish completes a rename whose change of the tree has number upto. Until that is durable,
// rows name the spools by their old names, so the spools must stay.
func (m *renaming) finish(replaced *tree.Node, upto uint64) error {
	err := m.journal.WaitSynced(upto)
	if replaced != nil {
		m.orphan(replaced)
	}
	m.settle()
	return err
}

// settle finalizes Src, unless its content is queued.
func (m *renaming) settle() {
	if !m.closeQueuedSpool(m.Src) {
		_ = m.finalizeUnderNameLock(m.Src) // after an error it is tried again
	}
}

// showLocked shows what was uploaded to a name, with its time, by the name's inode or by one for by;
// s.mu must be held. It returns the number of the change, as saveLocked does.
func (s *Store) showLocked(at target, by New, modTime inode.Instant, up remote.Upload) uint64 {
	n := at.dir.Children[at.name]
	if at.dir.Parent == nil && at.dir != s.root || n != nil && n.Kind != File {
		s.recordUploadLocked(nil, at.here(), nil, up)
		return s.dirtied
	}
	if n == nil {
		n = s.newNodeLocked(File, by.Mode, by.UID, by.GID)
		s.linkLocked(at.dir, at.name, n)
		s.changes.add(Changed{Dir: at.dir.Ino, Entries: []string{at.name}})
	} else {
		n = s.inodeForLocked(n)
	}
	if !n.Dirty() {
		n.Mtime = modTime
	}
	s.recordUploadLocked(n, at.here(), nil, up)
	n.Pub.ModTime = modTime
	return s.saveLocked(n)
}

// showSentOfLocked is showLocked for content of src, which does not have the name.
func (s *Store) showSentOfLocked(at target, src *tree.Node, up remote.Upload) uint64 {
	return s.showLocked(at, New{Mode: uint32(src.Mode), UID: src.UID, GID: src.GID}, cmp.Or(src.Pub.ModTime, src.Mtime), up)
}

// overtakenLocked reports, if the caller of the rename has left, whether the replaced file was
// overtaken or the target directory was removed; m.mu must be held.
func (m *renaming) overtakenLocked() bool {
	gone := m.Dir.Parent == nil && m.Dir != m.root
	return m.caller.Err() != nil && (gone || m.Store.overtakenLocked(m.planned, m.Dir.Children[m.Name]))
}

// yieldToNewer keeps the newer local content at the new name, and the old name. The service has the
// uploaded content under the new name.
func (m *renaming) yieldToNewer(up remote.Upload) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.showSentOfLocked(targetIn(m.Dir, m.Name), m.Src, up)
	return errOvertaken(m.Name)
}
