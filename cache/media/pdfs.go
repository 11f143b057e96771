package media

import (
	"os"

	"paperfs/cache/media/draft"
)

// This file is what the rest of the mount asks of the drafts: PDFs of papers/ that are being
// written, and those that were sent.

// newDrafts makes the set of drafts.
func (s *Store) newDrafts() *draft.Set {
	return draft.NewSet(draft.Options{
		State: s.o.State, Spools: &s.spools, Failures: &s.failures, Contents: s.contents, Room: &s.room, Sound: &s.sound,
		Progress: &s.progress, Names: s.o.Names, Senders: s.o.Transfers, Pause: s.o.pause, Now: s.o.Now, Log: s.o.Log,
		Ino: s.newIno, Enter: s.enter, Leave: s.work.Done, Tried: s.noteBarred, SentPDF: s.o.SentPDF,
	})
}

// newIno gives a number that nothing else has.
func (s *Store) newIno() Ino {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastIno++
	return s.lastIno
}

func (s *Store) noteBarred(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteBarredLocked(err)
}

// NewDraft begins an empty draft of a paper's PDF, which is meant to go to path.
func (s *Store) NewDraft(paper int64, path string) *Draft { return s.drafts.New(paper, path) }

// WriteBack reports whether a close queues what was written.
func (s *Store) WriteBack() bool { return s.o.WriteBack }

// QueuedPDFs are those of earlier runs. Each is sent once PublishBy was called.
func (s *Store) QueuedPDFs() []QueuedPDF { return s.drafts.Requeued() }

// WritingPDFs are the paths, from the mount's root, of PDFs with something that no close has
// sent or queued yet.
func (s *Store) WritingPDFs() []string { return s.drafts.Writing() }

// SetAside copies a PDF that was sent for a paper, and that the service could make no pages
// of, to failed/, with the reason. What failed before it was sent stays there.
func (s *Store) SetAside(pdf *os.File, paper int64, path, reason string) error {
	return s.drafts.SetAside(pdf, paper, path, reason)
}

// PinPDFs has PDFs that were sent for a paper stay in the content cache, by their SHA-256.
// Others of it may go.
func (s *Store) PinPDFs(paper int64, sha256 []string) { s.contents.Keep(paper, sha256) }

// OpenContent opens published content by its SHA-256; os.ErrNotExist where it
// is not held here.
func (s *Store) OpenContent(sha256 string) (*os.File, error) { return s.contents.Open(sha256) }
