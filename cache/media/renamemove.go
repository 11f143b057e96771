package media

import (
	"context"
	"errors"

	"paperfs/cache/content/refusal"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// This file implements the renames of published files and directories at a service that offers moves:
// one request, whatever is in them. After a kill or a lost answer the next GetTree has the id under
// one of the two names, and the inode follows it.

// move gives a published file its new name. A file that had the name keeps its id and its address, and
// gets the content, for which what is queued of Src is sent first. Other newer content of Src goes with it, and is sent later.
func (m *renaming) move(ctx context.Context) error {
	if err := m.makeDirs(waiter.Committed(ctx), m.Dir); err != nil {
		return err
	}
	m.mu.RLock()
	parent, over := m.Dir.ID, m.Dir.Children[m.Name] != nil && m.Dir.Children[m.Name].Latest().ID != 0
	m.mu.RUnlock()
	if over { // the moved id ends: the old address returns nothing, and after a kill nothing tells where content of the id is now
		if m.inUse(m.Src) {
			if err := m.fetchWhole(ctx); err != nil {
				return err
			}
		}
		if err := m.sendQueued(ctx); err != nil {
			return err
		}
	}
	m.loadForReaders(ctx)
	if err := m.waitWritten(); err != nil { // else, after a kill, content that was just sent is sent to the old name again
		return err
	}
	m.mu.RLock()
	id, now := m.Src.Pub.ID, int64(0)
	m.mu.RUnlock()
	var at target
	still := func() (err error) {
		if at, err = m.replacing(ctx); err != nil {
			return err
		}
		return m.unchanged(m.From.Dir.Ino, m.From.Name, m.seen)
	}
	mark, err := m.changeAtService(ctx, remote.MoveFile, m.Src, m.From.Dir.Ino, m.From.Name, still, func(ctx context.Context) (err error) {
		if !over && at.base == 0 {
			at.base = remote.NoFile
		}
		now, err = m.o.Service.MoveFile(ctx, id, parent, m.Name, at.base)
		return err
	})
	if err != nil {
		return m.notMoved(err)
	}
	return m.moved(id, now, mark)
}

// sendQueued sends what is queued of Src to the old name.
func (m *renaming) sendQueued(ctx context.Context) error {
	f, err := m.freezePending(m.Src)
	if f == nil || err != nil {
		return err
	}
	defer f.thaw()
	at := targetIn(m.From.Dir, m.From.Name)
	up, err := m.uploadSeen(ctx, m.Src, f, at)
	if err == errElsewhere {
		return errReplan
	}
	if err != nil {
		return err
	}
	m.seen = versionOf(up)
	return m.published(at, f, up, true)
}

// moved records that the service has the file under its new name, with an id that may be another one.
// Unlike an upload, a move is made as soon as it is sent: if its caller has left, it replaces what was
// written to the old file meanwhile, as rename(2) does.
func (m *renaming) moved(was, now int64, mark remote.Version) error {
	m.mu.Lock()
	if heir := m.files[was]; heir != nil { // the name has let go of Src meanwhile
		m.Src = heir
	}
	src, dst := m.Src, m.Dir.Children[m.Name]
	m.serial++
	src.Own().Changed = m.serial
	if m.targetLostLocked() || dst != nil && dst.Kind != File {
		m.getTree.stale = true // others have changed both since: the next GetTree has the outcome
		m.mu.Unlock()
		return nil
	}
	replaced := m.commitLocked()
	if was != now {
		m.forgetFileLocked(src, was)
		m.claimIDLocked(src, now)
	}
	src.Pub.ID, src.Pub.URL, src.Pub.Mark = now, src.Pub.URL.Of(m.Name), mark
	m.indexLocked(src)
	upto := m.saveLocked(src)
	m.mu.Unlock()
	return m.finish(replaced, upto)
}

// moveDir gives a directory at the service its new name, with everything in it. What is queued in it
// is sent to where it is then: uploads name their directory by its id.
func (m *renaming) moveDir(ctx context.Context) error {
	if err := m.makeDirs(waiter.Committed(ctx), m.Dir); err != nil {
		return err
	}
	m.mu.RLock()
	id, parent, over := m.Src.ID, m.Dir.ID, int64(0)
	if dst := m.Dir.Children[m.Name]; dst != nil {
		over = dst.ID
	}
	m.mu.RUnlock()
	if err := m.waitWritten(); err != nil { // as in move
		return err
	}
	still := func() error { return m.unchanged(m.From.Dir.Ino, m.From.Name, m.seen) }
	mark, err := m.changeAtService(ctx, remote.MoveDirectory, m.Src, m.From.Dir.Ino, m.From.Name, still, func(ctx context.Context) error { return m.o.Service.MoveDirectory(ctx, id, parent, m.Name, over != 0) })
	if err != nil {
		return m.notMoved(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.serial++
	m.Src.Own().Changed = m.serial
	dst := m.Dir.Children[m.Name]
	if m.targetLostLocked() || m.Dir.Within(m.Src) || dst != nil && (dst.Kind != Directory || len(dst.Children) > 0) {
		m.getTree.stale = true // as in moved
		return nil
	}
	if over != 0 {
		m.deletedDirs[over] = m.serial
	}
	m.Src.Mark = mark
	m.commitLocked()
	m.saveLocked(m.Src)
	return nil
}

// notMoved explains why the service refused to move Src: the tree tells, which was read since.
func (m *renaming) notMoved(err error) error {
	if e, ok := errors.AsType[*remote.Error](err); !ok || e.Kind != remote.Refused || e.Code != remote.Failure {
		return err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	switch dst := m.Dir.Children[m.Name]; {
	case m.Dir.Within(m.Src):
		return &Error{Kind: Invalid, Name: m.Src.Path(), Detail: "a directory cannot be moved below itself: somebody else has moved the other one into it"}
	case m.Dir.Parent == nil && m.Dir != m.root:
		return refusal.NoSuchFile(m.Dir.Name)
	case dst == nil:
		return err
	case len(dst.Children) > 0:
		return &Error{Kind: NotEmpty, Name: m.Name, Detail: "the directory is not empty"}
	case m.NoReplace:
		return refusal.NameTaken(m.Name)
	case dst == m.planned.node && dst.Theirs.ID == 0:
		return err
	default:
		return errNewer(dst.Path())
	}
}
