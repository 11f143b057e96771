package media

import (
	"errors"
	"fmt"

	"paperfs/cache/media/contentcache"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/namelock"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// replayIntents completes the moves that an earlier run began, if the tree, which was just
// read, shows that their upload succeeded.
func (s *Store) replayIntents() {
	replay := s.intents.Take()
	if len(replay) == 0 || s.enter() != nil {
		return
	}
	go func() {
		defer s.work.Done()
		for ino, to := range replay {
			if path, id, err := s.replayIntent(ino, to); err != nil {
				s.o.Report("rename", path, id, fmt.Errorf("the mount ended during a rename to %q; both names may exist: %w", to.Name, err))
			}
			if err := s.intents.End(ino); err != nil {
				s.o.Log.Error("cannot record that a rename completed", "error", err)
			}
		}
	}()
}

var (
	errNoSum = errors.New("the service does not report what it has under the new name")
	errInUse = errors.New("one of the two files is being written")
)

// replayIntent deletes the old name of a file if the service has the same content under the new
// one. path and id are those of the old name.
func (s *Store) replayIntent(ino Ino, to journal.Intent) (path string, id int64, err error) {
	s.mu.RLock()
	n := s.nodes[ino]
	s.mu.RUnlock()
	if n == nil {
		return "", 0, nil
	}
	at, named := s.nameOf(n)
	if !named {
		return "", 0, nil
	}
	unlock := s.names.LockLate(at, namelock.Of(to.Dir, to.Name))
	defer unlock()
	s.mu.RLock()
	path, id = n.Path(), n.Pub.ID
	there := s.movedToLocked(n, at, to)
	s.mu.RUnlock()
	if there == nil {
		return path, id, nil
	}
	queued, err := s.freezePending(n)
	if err != nil {
		return path, id, err
	}
	m := &renaming{Store: s, Rename: plan.Rename{Name: to.Name}, caller: waiter.Of(waiter.Late(s.base))}
	up, err := m.sentBefore(n, queued, there, to.Dir)
	if err != nil || up.FileID == 0 {
		if queued != nil {
			queued.thaw()
		}
		return path, id, err
	}
	m.noteSeen(at.Dir, m.From.Name)
	m.loadForReaders(s.base)
	if err := m.completeMove(s.base, up, queued); err != nil {
		return path, id, err
	}
	s.changes.add(Changed{Dir: m.From.Dir.Ino, Entries: []string{m.From.Name}}, Changed{Dir: to.Dir, Entries: []string{to.Name}})
	return path, id, nil
}

// movedToLocked returns the service's file under the new name of n, or nil; s.mu must be held.
// It also returns nil if n has another name than at by now.
func (s *Store) movedToLocked(n *tree.Node, at namelock.Name, to journal.Intent) *tree.Node {
	dir := s.nodes[to.Dir]
	if n.Parent == nil || namelock.Of(n.Parent.Ino, n.Name) != at || dir == nil {
		return nil
	}
	there := dir.Children[to.Name]
	if there == nil || there == n || there.Pub.ID == 0 {
		return nil
	}
	return there
}

// sentBefore returns the upload that made there what it is, if there has the content of n: the
// queued content (queued, unless that is nil), or else the published one. If there has other
// content, the returned id is 0.
func (m *renaming) sentBefore(n *tree.Node, queued *frozen, there *tree.Node, dir Ino) (up remote.Upload, err error) {
	m.mu.RLock()
	v, sum := there.Pub, n.Pub.SHA256
	m.mu.RUnlock()
	if queued != nil {
		text, _, err := contentcache.SumOf(queued.content.F)
		if err != nil {
			return up, err
		}
		sum = inode.DigestOf(text)
	}
	switch {
	case !sum.Known() || !v.SHA256.Known():
		return up, errNoSum
	case sum != v.SHA256:
		return up, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if n.Writers > 0 || there.Dirty() {
		return up, errInUse
	}
	if _, err := m.planLocked(n.Parent.Ino, n.Name, dir); err != nil {
		return up, err
	}
	return remote.Upload{FileID: v.ID, Size: v.Size, SHA256: v.SHA256.String()}, nil
}
