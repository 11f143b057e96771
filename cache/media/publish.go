package media

import (
	"context"

	"paperfs/cache/media/inode"
	"paperfs/cache/media/namelock"
	"paperfs/cache/media/tree"
	"paperfs/remote"
)

// publish sends n's newest content to where n is now, unless the service has
// it. The file's name is locked all the while. From the queue, with its canceller,
// what is queued is sent: a newer generation is being written and not yet closed.
func (s *Store) publish(ctx context.Context, n *tree.Node, canceller *tree.Canceller) error {
	fromQueue := canceller != nil
	unlock := s.lockNode(n)
	defer unlock()
	s.mu.RLock()
	stays := n.Local() || n.Parent == nil
	var at target
	if !stays {
		at = targetIn(n.Parent, n.Name)
	}
	lacking := n.Pub.ID == 0 || n.Dirty()
	s.mu.RUnlock()
	if stays {
		return nil
	}
	freeze := s.freeze
	if fromQueue {
		freeze = s.freezePending
	}
	f, err := freeze(n)
	if err != nil {
		if !fromQueue {
			n.Body().NoteFailure(err)
		}
		return err
	}
	if f == nil {
		return nil
	}
	defer f.thaw()
	if !lacking && !f.unsent() {
		return nil
	}
	if fromQueue {
		canceller.Gen = f.gen
		f.content.Gate = canceller
	}
	up, err := s.upload(ctx, at, f.content, fromQueue)
	if err != nil {
		if !fromQueue { // there it may pass
			f.failed(err)
		}
		return err
	}
	return s.published(n, at, f, up, fromQueue)
}

// unsent reports whether the service lacks the frozen generation.
func (f *frozen) unsent() bool {
	f.body.Mu.RLock()
	defer f.body.Mu.RUnlock()
	return f.gen != f.body.Sent
}

// failed notes that the frozen generation could not be published.
func (f *frozen) failed(err error) {
	f.body.Mu.Lock()
	f.body.Fail = &tree.Failure{Gen: f.gen, Err: err}
	f.body.Mu.Unlock()
}

// published notes that the service has what is in f, under n's name, at. A file
// that is new there waits for no sync of the disk: should the machine end
// before the next one, GetTree brings it back. What the queue sent of small content
// waits for nothing, so that its row is written with the note of the next upload: a kill
// before that finds it queued, with a copy of its content and its note, and sends it again.
func (s *Store) published(n *tree.Node, at target, f *frozen, up remote.Upload, fromQueue bool) error {
	b := n.Body()
	b.Mu.Lock()
	s.mu.Lock()
	copied := n.Copied
	recoverable := n.Pub.ID == 0 && !s.tree.notOffered && !s.tree.fetched.IsZero()
	s.takenLocked(n, at.here(), f, up)
	upto := s.saveLocked(n)
	s.mu.Unlock()
	b.Mu.Unlock()
	switch {
	case recoverable && copied && fromQueue:
		return nil
	case recoverable:
		return s.journal.WaitWritten(upto)
	}
	return s.journal.WaitSynced(upto)
}

// takenLocked takes the service's answer to an upload to a name, which is locked: the
// content is n's, nil where others took the name since, so that the next tree tells
// whose it is. f is what n has of it here, nil for nothing. b.mu of n, where f is not
// nil, and s.mu must be held, and saveLocked follow.
func (s *Store) takenLocked(n *tree.Node, here namelock.Name, f *frozen, up remote.Upload) {
	s.dropNoteLocked(here)
	if n != nil && n.Parent != nil {
		s.noteUploadLocked(n, up)
	} else {
		s.tree.stale = true
	}
	if f != nil {
		s.sentLocked(n, f.gen, up)
	}
}

// sentLocked notes that the service has a frozen generation of n's content, so that
// what was queued before it need not be sent; b.mu of the node and s.mu must be
// held.
func (s *Store) sentLocked(n *tree.Node, gen uint64, up remote.Upload) {
	b := n.Body()
	b.Sent, b.Sum = gen, up.SHA256
	if b.Fail != nil && b.Fail.Gen <= gen {
		b.Fail = nil
	}
	if n.Queued() && gen >= b.Queued {
		s.setQueuedLocked(n, false) // its spool goes at the thaw
	}
	if b.Gen == gen {
		n.On(tree.Uploaded)
	} else {
		n.On(tree.Outdated)
	}
}

// noteUploadLocked notes that the service has n as up tells; s.mu must be held.
func (s *Store) noteUploadLocked(n *tree.Node, up remote.Upload) {
	s.serial++
	n.Own().Changed = s.serial
	s.onlyAsLocked(n, up.FileID)
	if s.files[n.Pub.ID] == n && n.Pub.ID != up.FileID {
		delete(s.files, n.Pub.ID)
	}
	var url tree.Address
	if n.Pub.ID == up.FileID {
		url = n.Pub.URL
	}
	n.Pub = tree.Version{ID: up.FileID, Size: up.Size, KB: (up.Size + 1023) / 1024, SHA256: inode.DigestOf(up.SHA256), URL: url, ModTime: n.Mtime}
	s.indexLocked(n)
}

// onlyAsLocked has the service's file with an id be n alone: a tree has brought it
// under another spelling while n was on its way. The next tree gives n that
// spelling; s.mu must be held.
func (s *Store) onlyAsLocked(n *tree.Node, id int64) {
	other := s.files[id]
	if other == nil || other == n || other.Parent == nil {
		return
	}
	s.tree.stale = true
	if dir, name := other.Parent.Ino, other.Name; s.loseLocked(other) {
		s.changes.add(Changed{Dir: dir, Entries: []string{name}})
	}
}
