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
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

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
	s.progress.Begin(content)
	defer s.progress.End(content)
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

// note notes an upload before anything is sent, unless its name is noted for other
// reasons: should the process end before that, its name is one of an unknown outcome for the
// next run. It costs no sync: only a kill is what it guards against. A close that waits
// for its upload needs no note: its spool tells the next run.
func (s *Store) note(here namelock.Name, at journal.ServiceName) error {
	if s.unknown.Has(at) {
		return nil
	}
	s.mu.Lock()
	s.notes[here] = at
	upto := s.changeNoteLocked(journal.NoteChange{At: at})
	s.mu.Unlock()
	return s.journal.WaitWritten(upto)
}

// dropNoteLocked has the note of an upload removed with what is written next, if there
// is one, and if the outcome of the upload is not unknown after all; s.mu and the
// name must be locked.
func (s *Store) dropNoteLocked(here namelock.Name) {
	at, noted := s.notes[here]
	if !noted {
		return
	}
	delete(s.notes, here)
	if !s.unknown.Has(at) {
		s.changeNoteLocked(journal.NoteChange{At: at, Over: true})
	}
}

// changeNoteLocked has a change written, which the tree knows nothing of; s.mu must be
// held. The number is that of saveLocked.
func (s *Store) changeNoteLocked(c journal.NoteChange) uint64 {
	known := s.knownLocked()
	s.noteChanges = append(s.noteChanges, c)
	s.dirtied++
	s.tree.validator, s.tree.asOf = known, s.dirtied
	s.journal.Poke()
	return s.dirtied
}

// uploadFor is upload for a change whose caller may leave: before the last bytes
// are sent that ends it. Where it succeeds, takenLocked has to follow, with the
// rows that tell so.
func (s *Store) uploadFor(ctx context.Context, at target, content *spool.Content) (remote.Upload, error) {
	work, cancel := context.WithCancel(waiter.Begun(ctx))
	defer cancel()
	u := new(waiter.Undecided)
	content.Gate = u
	waiter.Of(ctx).OnLeave(func() {
		if u.End() {
			cancel()
		}
	})
	up, err := s.upload(work, at, content, true)
	if err != nil && u.Ended() {
		err = waiter.ErrLeft
	}
	return up, err
}
