package naming

import (
	"context"
	"errors"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/media/names"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// This file implements the renames of published files and directories at a service that offers moves:
// one request, whatever is in them. After a kill or a lost answer the next GetTree has the id under
// one of the two names, and the inode follows it.

// move gives a published file its new name. A file that had the name keeps its id and its address, and
// gets the content, for which what is queued of Src is sent first. Other newer content of Src goes with it, and is sent later.
func (m *renaming) move(ctx context.Context) error {
	if err := m.uploads.MakeDirs(waiter.Committed(ctx), m.Dir); err != nil {
		return err
	}
	m.names.Mu.RLock()
	parent, over := m.Dir.ID, m.Dir.Children[m.Name] != nil && m.Dir.Children[m.Name].Latest().ID != 0
	m.names.Mu.RUnlock()
	if over { // the moved id ends: the old address returns nothing, and after a kill nothing tells where content of the id is now
		if m.names.InUse(m.Src) {
			if err := m.fetchWhole(ctx); err != nil {
				return err
			}
		}
		if err := m.sendQueued(ctx); err != nil {
			return err
		}
	}
	m.loadForReaders(ctx)
	if err := m.names.WaitWritten(); err != nil { // else, after a kill, content that was just sent is sent to the old name again
		return err
	}
	m.names.Mu.RLock()
	id, now := m.Src.Pub.ID, int64(0)
	m.names.Mu.RUnlock()
	var at names.Target
	still := func() (err error) {
		if at, err = m.replacing(ctx); err != nil {
			return err
		}
		return m.reconciler.Unchanged(m.From.Dir.Ino, m.From.Name, m.seen)
	}
	mark, err := m.changeAtService(ctx, remote.MoveFile, m.Src, m.From.Dir.Ino, m.From.Name, still, func(ctx context.Context) (err error) {
		if !over && at.Base == 0 {
			at.Base = remote.NoFile
		}
		now, err = m.o.Service.MoveFile(ctx, id, parent, m.Name, at.Base)
		return err
	})
	if err != nil {
		return m.notMoved(err)
	}
	return m.moved(id, now, mark)
}

// sendQueued sends what is queued of Src to the old name.
func (m *renaming) sendQueued(ctx context.Context) error {
	f, err := m.bodies.FreezePending(m.Src)
	if f == nil || err != nil {
		return err
	}
	defer f.Thaw()
	m.names.Mu.RLock()
	at := names.TargetIn(m.From.Dir, m.From.Name)
	m.names.Mu.RUnlock()
	up, err := m.uploads.UploadSeen(ctx, m.Src, f, at)
	if err == reconcile.ErrElsewhere {
		return errReplan
	}
	if err != nil {
		return err
	}
	m.seen = names.VersionOf(up)
	return m.uploads.Published(at, f, up, true)
}

// moved records that the service has the file under its new name, with an id that may be another one.
// Unlike an upload, a move is made as soon as it is sent: if its caller has left, it replaces what was
// written to the old file meanwhile, as rename(2) does.
func (m *renaming) moved(was, now int64, mark remote.Version) error {
	m.names.Mu.Lock()
	if successor := m.names.Files[was]; successor != nil { // the name has got another inode meanwhile
		m.Src = successor
	}
	src, dst := m.Src, m.Dir.Children[m.Name]
	m.names.ChangedLocked(src)
	if m.targetLostLocked() || dst != nil && dst.Kind != inode.File {
		m.names.GetTree.Stale = true // others have changed both since: the next GetTree has the outcome
		m.names.Mu.Unlock()
		return nil
	}
	replaced := m.commitLocked()
	if was != now {
		m.names.ForgetFileLocked(src, was)
		m.names.ClaimIDLocked(src, now)
	}
	src.Pub.ID, src.Pub.URL, src.Pub.Mark = now, src.Pub.URL.Of(m.Name), mark
	m.names.IndexLocked(src)
	upto := m.names.SaveLocked(src)
	m.names.Mu.Unlock()
	return m.finish(replaced, upto)
}

// moveDir gives a directory at the service its new name, with everything in it. What is queued in it
// is sent to where it is then: uploads name their directory by its id.
func (m *renaming) moveDir(ctx context.Context) error {
	if err := m.uploads.MakeDirs(waiter.Committed(ctx), m.Dir); err != nil {
		return err
	}
	m.names.Mu.RLock()
	id, parent, over := m.Src.ID, m.Dir.ID, int64(0)
	if dst := m.Dir.Children[m.Name]; dst != nil {
		over = dst.ID
	}
	m.names.Mu.RUnlock()
	if err := m.names.WaitWritten(); err != nil { // as in move
		return err
	}
	still := func() error { return m.reconciler.Unchanged(m.From.Dir.Ino, m.From.Name, m.seen) }
	mark, err := m.changeAtService(ctx, remote.MoveDirectory, m.Src, m.From.Dir.Ino, m.From.Name, still, func(ctx context.Context) error { return m.o.Service.MoveDirectory(ctx, id, parent, m.Name, over != 0) })
	if err != nil {
		return m.notMoved(err)
	}
	m.names.Mu.Lock()
	defer m.names.Mu.Unlock()
	m.names.ChangedLocked(m.Src)
	dst := m.Dir.Children[m.Name]
	if m.targetLostLocked() || m.Dir.Within(m.Src) || dst != nil && (dst.Kind != inode.Directory || len(dst.Children) > 0) {
		m.names.GetTree.Stale = true // as in moved
		return nil
	}
	if over != 0 {
		m.names.ForgetDirLocked(over)
	}
	m.Src.Mark = mark
	m.commitLocked()
	m.names.SaveLocked(m.Src)
	return nil
}

// notMoved explains why the service refused to move Src: the tree tells, which was read since.
func (m *renaming) notMoved(err error) error {
	if e, ok := errors.AsType[*remote.Error](err); !ok || e.Kind != remote.Refused || e.Code != remote.Failure {
		return err
	}
	m.names.Mu.RLock()
	defer m.names.Mu.RUnlock()
	switch dst := m.Dir.Children[m.Name]; {
	case m.Dir.Within(m.Src):
		return &refusal.Error{Kind: refusal.Invalid, Name: m.Src.Path(), Detail: "a directory cannot be moved below itself: somebody else has moved the other one into it"}
	case m.Dir.Parent == nil && m.Dir != m.names.Root:
		return refusal.NoSuchFile(m.Dir.Name)
	case dst == nil:
		return err
	case len(dst.Children) > 0:
		return &refusal.Error{Kind: refusal.NotEmpty, Name: m.Name, Detail: "the directory is not empty"}
	case m.NoReplace:
		return refusal.NameTaken(m.Name)
	case dst == m.planned.node && dst.Theirs.ID == 0:
		return err
	default:
		return reconcile.ErrNewer(dst.Path())
	}
}
