package media

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// maxUploads is the maximum number of uploads to a name where an earlier upload may still take
// effect.
const maxUploads = 3

// upload sends content to a name, which must be locked. noted says that no spool records the
// upload, so a note is written first. After a success the caller must call recordUploadLocked,
// which removes the note together with the rows that record the success.
func (s *Store) upload(ctx context.Context, at target, content *spool.Content, noted bool) (up remote.Upload, err error) {
	if err = s.journal.Able(); err != nil {
		return up, err
	}
	for again := false; ; again = true {
		if at, err = s.ensureDir(ctx, at); err != nil {
			return up, err
		}
		if err = s.noteUpload(at, content, noted); err == nil {
			up, err = s.uploadTo(ctx, at, content)
		}
		if err == nil {
			return up, nil
		}
		s.mu.Lock()
		s.getTree.stale = s.getTree.stale || s.notes[at.here()].leftOut
		s.dropNoteLocked(at.here())
		s.mu.Unlock()
		if again || !s.dirDeletedAtService(ctx, at, err) {
			return up, err
		}
		if at.base != 0 {
			at.base = remote.NoFile
		}
	}
}

// ensureDir creates the directory of a target at the service if necessary, and returns the target
// with its id.
func (s *Store) ensureDir(ctx context.Context, at target) (target, error) {
	if err := s.makeDirs(ctx, at.dir); err != nil {
		return at, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	at.id, at.made = at.dir.ID, at.dir.Changed
	return at, nil
}

// uploadTo is upload to a target whose directory exists. If the outcome of an earlier upload to
// the name is unknown, it verifies that the service has this content, and repeats the upload if
// not. Where the service compares versions, there is no need: the earlier upload required one that is gone.
func (s *Store) uploadTo(ctx context.Context, at target, content *spool.Content) (remote.Upload, error) {
	here := journal.NameAt(at.id, at.name)
	for try := 1; ; try++ {
		up, err := s.uploadOnce(ctx, at, content)
		if err != nil {
			return up, s.noteUnknown(here, at, content, err)
		}
		other := s.otherFile(at, up.FileID, tree.Fold)
		if other != "" && s.refreshPatiently(ctx) == nil { // a colleague may have moved it there, or a restored backup of the service reuse ids
			other = s.otherFile(at, up.FileID, strings.Clone)
		}
		if other != "" {
			return up, refusal.CaseClash(at.name, other)
		}
		switch settled, err := s.settled(ctx, here, at.base, up); {
		case err != nil:
			s.o.Log.Warn("cannot verify an upload", "path", at.path, "error", err)
			return up, nil
		case settled:
			return up, nil
		case try == maxUploads:
			return up, &Error{Kind: Damaged, Name: at.path, Detail: fmt.Sprintf("the service has other content after %d uploads that it reported as successful", maxUploads)}
		}
		at.base = 0 // nobody compares it
	}
}

func (s *Store) uploadOnce(ctx context.Context, at target, content *spool.Content) (remote.Upload, error) {
	content.Path, content.Since = func() string { return at.path }, s.o.Now()
	s.progress.Begin(content)
	defer s.progress.End(content)
	if up, sent, err := s.endEarly(ctx, at, content); sent {
		return up, err
	}
	return s.o.Service.UploadFile(remote.Under(ctx, &remote.Condition{If: at.base}), at.id, at.name, content)
}

// unsureLocked reports whether the outcome of the last upload to a name is unknown; s.mu must be held.
func (s *Store) unsureLocked(at journal.ServiceName) bool {
	_, unsure := s.unknown[at]
	return unsure
}

// noteUnknown records the name if the outcome of its upload is unknown, and marks the tree as
// stale. After a conflict it is known: content that is there already would be no conflict, and the version that
// the upload required does not return.
func (s *Store) noteUnknown(here journal.ServiceName, at target, content *spool.Content, err error) error {
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Ambiguous && !cause.Conflict(err) {
		sum := content.SHA256()
		s.mu.Lock()
		all := s.unknown[here].Or(sum)
		s.getTree.stale, s.unknown[here] = true, all
		upto := s.changeNoteLocked(journal.NoteChange{At: here, Sent: all})
		s.mu.Unlock()
		if noteErr := s.journal.WaitWritten(upto); noteErr != nil {
			s.o.Log.Error("cannot record that the outcome of an upload is unknown", "error", noteErr)
		}
	}
	return err
}

// otherFile returns the path of the file with a service id if it is known under another name
// than at, by what fold leaves of the two, else "".
func (s *Store) otherFile(at target, id int64, fold func(string) string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.files[id]
	if n == nil || n.Parent == at.dir && fold(n.Name) == fold(at.name) { // nil: also if a local file has taken the name of the known one
		return ""
	}
	return n.Path()
}

// settled reports whether the service has the content of an upload that it has answered, and no earlier upload to the name can
// take effect any more. If one may, and nobody has compared versions, settled reads the tree again.
func (s *Store) settled(ctx context.Context, here journal.ServiceName, base remote.Version, up remote.Upload) (bool, error) {
	s.mu.RLock()
	looks := s.unsureLocked(here) && s.judged(base) == 0
	s.mu.RUnlock()
	if looks {
		if err := s.refreshPatiently(ctx); err != nil {
			return false, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.files[up.FileID]; looks && (n == nil || n.Latest().Differs(versionOf(up))) {
		return false, s.getTree.notOffered
	}
	delete(s.unknown, here)
	return true, nil
}

// noteUpload records an upload, and what it sends, before anything is sent, unless its
// name is recorded already. If the process ends before the outcome is known, the next run treats it as unknown. The
// note is not synced, since it guards against a kill only. A close that waits for its upload (noted is not
// set) needs none: the row of its spool tells the next run, and is written first unless the service refuses what comes late.
func (s *Store) noteUpload(to target, content *spool.Content, noted bool) error {
	at, upto := journal.NameAt(to.id, to.name), uint64(0)
	var sent inode.Digest
	if noted {
		sent = content.SHA256()
	}
	s.mu.Lock()
	before, unsure := s.unknown[at]
	all := before.Or(sent)
	s.notes[to.here()] = note{at: at, written: noted || unsure, judged: to.base != 0}
	if noted && (!unsure || all != before) {
		upto = s.changeNoteLocked(journal.NoteChange{At: at, Sent: all})
	}
	if !noted && to.base == 0 {
		upto = s.dirtied
	}
	s.mu.Unlock()
	return s.journal.WaitWritten(upto)
}

// note is an upload that is under way: what a GetTree has under its name may be what it sends.
type note struct {
	at      journal.ServiceName
	written bool // for the next run
	judged  bool // by the service, so that no GetTree has to verify it
	leftOut bool // an answer of GetTree had another version there
}

// leaveOutLocked reports whether the name of n is being sent, and the answer will tell what it holds.
// It notes that a version there is left out. s.mu must be held.
func (s *Store) leaveOutLocked(n *tree.Node) bool {
	here := waiter.NameOf(n.Parent.Ino, n.Name)
	was, sending := s.notes[here]
	if !sending || !was.judged && s.unsureLocked(was.at) {
		return false
	}
	was.leftOut = true
	s.notes[here] = was
	return true
}

// dropNoteLocked removes the note of an upload with the next write, unless the outcome is
// unknown after all; s.mu and the lock of the name must be held.
func (s *Store) dropNoteLocked(here waiter.Name) {
	was, sending := s.notes[here]
	if !sending {
		return
	}
	delete(s.notes, here)
	if was.written && !s.unsureLocked(was.at) {
		s.changeNoteLocked(journal.NoteChange{At: was.at, Over: true})
	}
}

// changeNoteLocked marks a change of notes to be written; s.mu must be held. The tree is
// unaffected. It returns the number of the change, as saveLocked does.
func (s *Store) changeNoteLocked(c journal.NoteChange) uint64 {
	known := s.knownLocked()
	s.noteChanges = append(s.noteChanges, c)
	s.dirtied++
	s.getTree.validator, s.getTree.asOf = known, s.dirtied
	s.journal.Wake()
	return s.dirtied
}

// uploadFor is upload for a change whose caller may give up: this ends the upload unless its
// last bytes are sent. After a success the caller must call recordUploadLocked, and save the rows.
func (s *Store) uploadFor(ctx context.Context, at target, content *spool.Content) (remote.Upload, error) {
	work, cancel := context.WithCancel(waiter.Committed(ctx))
	defer cancel()
	u := new(waiter.Undecided)
	content.Gate = u
	defer context.AfterFunc(waiter.Of(ctx), func() {
		if u.End() {
			cancel()
		}
	})()
	up, err := s.upload(work, at, content, true)
	if err != nil && u.Ended() {
		err = waiter.ErrLeft
	}
	return up, err
}
