package names

import (
	"errors"
	"path"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// Nobody's version is overwritten unseen. While a file has local content that the service lacks,
// Pub stays the version that this content was begun on, also in its row, and Theirs is what others
// have put under its name since. An upload that would replace Theirs fails: it requires Pub where the service compares
// versions, and elsewhere a look at the tree comes first.

// NoteTheirsLocked records that the service has v under the name of n, whose local content was begun
// on another version; Mu must be held. If v may come from an upload of this mount whose outcome is unknown, it
// counts as the version that the content was begun on.
func (s *Tree) NoteTheirsLocked(n *tree.Node, v tree.Version) {
	if sent, unsure := s.unknown[journal.NameAt(n.Parent.ID, n.Name)]; unsure && sent.Has(v.SHA256) {
		s.VersionsLocked(n, v, tree.Version{})
		s.SaveLocked(n)
	} else {
		s.VersionsLocked(n, n.Pub, v)
	}
}

// LoadUnsure loads the names whose last upload has an unknown outcome.
func (s *Tree) LoadUnsure() (err error) {
	s.unknown, err = journal.LoadUnknown(s.o.State.DB())
	return err
}

// Unsure counts the uploads that are under way, and the names whose last upload has an unknown outcome.
func (s *Tree) Unsure() (underWay, unknown int) { return len(s.notes), len(s.unknown) }

// OutcomeKnownLocked records that the outcome of all uploads to a name is known; Mu must be held.
func (s *Tree) OutcomeKnownLocked(at journal.ServiceName) { delete(s.unknown, at) }

// UnsureLocked reports whether the outcome of the last upload to a name is unknown; Mu must be held.
func (s *Tree) UnsureLocked(at journal.ServiceName) bool {
	_, unsure := s.unknown[at]
	return unsure
}

// NoteUnknown records the name if the outcome of its upload is unknown, and marks the tree as
// stale. After a conflict it is known: content that is there already would be no conflict, and the version that
// the upload required does not return.
func (s *Tree) NoteUnknown(here journal.ServiceName, at Target, content *spool.Content, err error) error {
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Ambiguous && !cause.Conflict(err) {
		sum := content.SHA256()
		s.Mu.Lock()
		all := s.unknown[here].Or(sum)
		s.GetTree.Stale, s.unknown[here] = true, all
		upto := s.changeNoteLocked(journal.NoteChange{At: here, Sent: all})
		s.Mu.Unlock()
		if noteErr := s.Journal.WaitWritten(upto); noteErr != nil {
			s.o.Log.Error("cannot record that the outcome of an upload is unknown", "error", noteErr)
		}
	}
	return err
}

// NoteInterrupted records that an upload of n, which may be nil, may have been in progress when
// an earlier run ended, so that it may still take effect.
func (s *Tree) NoteInterrupted(n *tree.Node) error {
	if n == nil || n.Kind != inode.File || n.Parent == nil || !n.Parent.Made() {
		return nil
	}
	at := journal.NameAt(n.Parent.ID, n.Name)
	sent := s.unknown[at] // of earlier uploads: nobody has measured what this one sent
	s.unknown[at] = sent
	return journal.NoteUnknown(s.o.State.DB(), at, sent)
}

// NoteUpload records an upload, and what it sends, before anything is sent, unless its
// name is recorded already. If the process ends before the outcome is known, the next run treats it as unknown. The
// note is not synced, since it guards against a kill only. A close that waits for its upload (noted is not
// set) needs none: the row of its spool tells the next run, and is written first unless the service refuses what comes late.
func (s *Tree) NoteUpload(to Target, content *spool.Content, noted bool) error {
	at, upto := journal.NameAt(to.ID, to.Name), uint64(0)
	var sent inode.Digest
	if noted {
		sent = content.SHA256()
	}
	s.Mu.Lock()
	before, unsure := s.unknown[at]
	all := before.Or(sent)
	s.notes[to.Here()] = note{at: at, written: noted || unsure, compared: to.Base != 0}
	if noted && (!unsure || all != before) {
		upto = s.changeNoteLocked(journal.NoteChange{At: at, Sent: all})
	}
	if !noted && to.Base == 0 {
		upto = s.dirtied
	}
	s.Mu.Unlock()
	return s.Journal.WaitWritten(upto)
}

// note is an upload that is under way: what a GetTree has under its name may be what it sends.
type note struct {
	at       journal.ServiceName
	written  bool // for the next run
	compared bool // by the service, so that no GetTree has to verify it
	leftOut  bool // an answer of GetTree had another version there
}

// LeaveOutLocked reports whether the name of n is being sent, and the answer will tell what it holds.
// It notes that a version there is left out. Mu must be held.
func (s *Tree) LeaveOutLocked(n *tree.Node) bool {
	here := waiter.NameOf(n.Parent.Ino, n.Name)
	was, sending := s.notes[here]
	if !sending || !was.compared && s.UnsureLocked(was.at) {
		return false
	}
	was.leftOut = true
	s.notes[here] = was
	return true
}

// DropNoteLocked removes the note of an upload with the next write, unless the outcome is
// unknown after all; Mu and the lock of the name must be held. If it failed, what a GetTree had there meanwhile is read again.
func (s *Tree) DropNoteLocked(here waiter.Name, failed bool) {
	was, sending := s.notes[here]
	if !sending {
		return
	}
	delete(s.notes, here)
	s.GetTree.Stale = s.GetTree.Stale || failed && was.leftOut
	if was.written && !s.UnsureLocked(was.at) {
		s.changeNoteLocked(journal.NoteChange{At: was.at, Over: true})
	}
}

// changeNoteLocked marks a change of notes to be written; Mu must be held. The tree is
// unaffected. It returns the number of the change, as SaveLocked does.
func (s *Tree) changeNoteLocked(c journal.NoteChange) uint64 {
	known := s.KnownLocked()
	s.noteChanges = append(s.noteChanges, c)
	s.dirtied++
	s.GetTree.Validator, s.GetTree.AsOf = known, s.dirtied
	s.Journal.Wake()
	return s.dirtied
}

// Target is the destination of an upload.
type Target struct {
	Dir  *tree.Node
	ID   int64          // of dir at the service
	Made uint64         // Changed of dir: a restored service may assign the same id again
	Name string         // as requested; the service keeps its own spelling of an existing file
	Path string         // below media/, for messages
	Base remote.Version // that the name must have at the service, or remote.NoFile; 0: any
}

// TargetIn returns the target for a file called name in dir; Mu must be held.
func TargetIn(dir *tree.Node, name string) Target {
	return Target{Dir: dir, ID: dir.ID, Made: dir.Changed, Name: name, Path: path.Join(dir.Path(), name)}
}

// Here returns the name to lock for a target.
func (at Target) Here() waiter.Name { return waiter.NameOf(at.Dir.Ino, at.Name) }
