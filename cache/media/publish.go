package media

import (
	"context"
	"errors"
	"fmt"

	"paperfs/cache/media/inode"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/namelock"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/spool"
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
	unheld := n.Pub.ID == 0 || n.Dirty()
	s.mu.RUnlock()
	if stays {
		return nil
	}
	freeze := s.freeze
	if fromQueue {
		freeze = s.freezeClosed
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
	if !unheld && !f.unsent() {
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
	return s.published(n, at, f, up)
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
// before the next one, GetTree brings it back.
func (s *Store) published(n *tree.Node, at target, f *frozen, up remote.Upload) error {
	b := n.Body()
	b.Mu.Lock()
	s.mu.Lock()
	recoverable := n.Pub.ID == 0 && !s.tree.notOffered && !s.tree.fetched.IsZero()
	s.takenLocked(n, at.here(), f, up)
	upto := s.keepLocked(n)
	s.mu.Unlock()
	b.Mu.Unlock()
	if recoverable {
		return s.journal.WaitWritten(upto)
	}
	return s.journal.WaitSynced(upto)
}

// takenLocked takes the service's answer to an upload to a name, which is locked: the
// content is n's, nil where others took the name meanwhile, so that the next tree tells
// whose it is. f is what n has of it here, nil for nothing. b.mu of n, where f is not
// nil, and s.mu must be held, and keepLocked follow.
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

// tries is how often an upload is made under a name where an earlier one may
// take effect late.
const tries = 3

// upload sends content to a name, which is locked. What leaves no spool to tell
// that it was under way is noted before: such a note is there after a success until
// takenLocked, which has to follow with the rows that tell so.
func (s *Store) upload(ctx context.Context, at target, content *spool.Content, noted bool) (up remote.Upload, err error) {
	for again := false; ; again = true {
		if at, err = s.reach(ctx, at); err != nil {
			return up, err
		}
		if noted {
			if err = s.note(at.here(), journal.NameAt(at.id, at.name)); err != nil {
				return up, err
			}
		}
		if up, err = s.uploadTo(ctx, at, content); err == nil {
			return up, nil
		}
		s.mu.Lock()
		s.dropNoteLocked(at.here())
		s.mu.Unlock()
		if again || !s.goneThere(ctx, at, err) {
			return up, err
		}
	}
}

// reach has the service know the directory of a name.
func (s *Store) reach(ctx context.Context, at target) (target, error) {
	if err := s.makeDirs(ctx, at.dir); err != nil {
		return at, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	at.id = at.dir.ID
	return at, nil
}

// uploadTo is upload to a name that was reached. After an upload there whose outcome
// is unknown it looks whether the service has this one, and repeats it when it does not.
func (s *Store) uploadTo(ctx context.Context, at target, content *spool.Content) (remote.Upload, error) {
	here := journal.NameAt(at.id, at.name)
	for try := 1; ; try++ {
		up, err := s.uploadOnce(ctx, at, content)
		if err != nil {
			return up, s.noteUnknown(here, err)
		}
		if other := s.otherFile(at, up.FileID); other != "" && !s.newFile(ctx, at, up.FileID) {
			return up, refusal.CaseClash(at.name, other)
		}
		if !s.unknown.Has(here) {
			return up, nil
		}
		switch there, err := s.confirm(ctx, up); {
		case err != nil:
			s.o.Log.Warn("an upload could not be checked", "path", at.path, "error", err)
			return up, nil
		case there:
			return up, s.unknown.Remove(here)
		case try == tries:
			return up, &Error{Kind: Damaged, Name: at.path, Detail: fmt.Sprintf("the service holds other content after %d uploads that it called successful", tries)}
		}
	}
}

func (s *Store) uploadOnce(ctx context.Context, at target, content *spool.Content) (remote.Upload, error) {
	content.Path, content.Since = at.path, s.o.Now()
	s.progress.begin(content)
	defer s.progress.end(content)
	return s.o.Service.UploadFile(ctx, at.id, at.name, content)
}

// noteUnknown remembers the name where an upload failed with an unknown
// outcome, and has the tree read again.
func (s *Store) noteUnknown(here journal.ServiceName, err error) error {
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Ambiguous {
		s.Forget()
		_ = s.written() // what drops an older note of the name, so that it does not drop this
		if noteErr := s.unknown.Add(here); noteErr != nil {
			s.o.Log.Error("keeping that the outcome of an upload is unknown", "error", noteErr)
		}
	}
	return err
}

// otherFile is the path of the file with a service's id where that is known
// to have another name than at, and empty otherwise.
func (s *Store) otherFile(at target, id int64) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.files[id]
	if n == nil || n.Parent == at.dir && tree.Fold(n.Name) == tree.Fold(at.name) {
		return ""
	}
	return n.Path()
}

// newFile reports whether the service's file with an id, which was known under another
// name, has the name of at in a tree that is read afresh: a colleague has moved it there,
// or a backup of the service was restored, which gives ids a second time.
func (s *Store) newFile(ctx context.Context, at target, id int64) bool {
	if s.Refresh(ctx) != nil {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.files[id] // nil: what is written here has taken the name of what was known
	return n == nil || n.Parent == at.dir && n.Name == at.name
}

// confirm reads the tree afresh and reports whether it has what was
// uploaded. Where the service never gave a tree it has to be believed.
func (s *Store) confirm(ctx context.Context, up remote.Upload) (bool, error) {
	if err := s.Refresh(ctx); err != nil {
		return false, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.tree.notOffered {
		if !s.tree.fetched.IsZero() {
			return false, s.tree.err
		}
		return true, nil
	}
	n := s.files[up.FileID]
	return n != nil && !n.Pub.Differs(tree.Version{Size: up.Size, SHA256: inode.DigestOf(up.SHA256), KB: (up.Size + 1023) / 1024}), nil
}
