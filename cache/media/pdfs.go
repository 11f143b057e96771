package media

import (
	"os"

	"paperfs/cache/media/draft"
)

// This file exposes the drafts to the rest of the mount: PDFs under papers/ that are being
// written, and those that were sent.

// newDrafts creates the set of drafts.
func (s *Store) newDrafts() *draft.Set {
	return draft.NewSet(draft.Options{
		State: s.o.State, Spools: &s.spools, Failures: &s.failures, Contents: s.contents, Room: &s.room, Sound: &s.sound,
		Progress: &s.progress, Names: s.o.Names, Senders: s.o.Transfers, Pause: s.o.pause, Now: s.o.Now, Log: s.o.Log,
		Ino: s.newIno, Enter: s.enter, Leave: s.work.Done, Tried: s.noteBarred, SentPDF: s.o.SentPDF,
	})
}

// newIno returns an unused inode number.
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

// NewDraft creates an empty draft of a paper's PDF that is to be sent to path.
func (s *Store) NewDraft(paper int64, path string) *Draft { return s.drafts.New(paper, path) }

// WriteBack reports whether a close queues the written content.
func (s *Store) WriteBack() bool { return s.o.WriteBack }

// QueuedPDFs returns the PDFs that earlier runs queued. Each is sent once its PublishBy was
// called.
func (s *Store) QueuedPDFs() []QueuedPDF { return s.drafts.Requeued() }

// WritingPDFs returns the paths, from the mount's root, of PDFs with content that no close has
// sent or queued yet.
func (s *Store) WritingPDFs() []string { return s.drafts.Writing() }

// CopyToFailed copies a sent PDF for which the service could not generate pages to failed/, with
// the reason. It does not replace an entry that was never sent.
func (s *Store) CopyToFailed(pdf *os.File, paper int64, path, reason string) error {
	return s.drafts.CopyToFailed(pdf, paper, path, reason)
}

// PinPDFs pins the PDFs with these SHA-256 digests, sent for a paper, in the content cache, and
// unpins others of that paper.
func (s *Store) PinPDFs(paper int64, sha256 []string) { s.contents.Keep(paper, sha256) }

// OpenContent opens cached content by its SHA-256. It returns os.ErrNotExist if the content is
// not cached.
func (s *Store) OpenContent(sha256 string) (*os.File, error) { return s.contents.Open(sha256) }
