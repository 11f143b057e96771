package media

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// This file handles a service whose data was replaced, so that its ids mean other things.

// CachedPDF is a PDF that was sent for a paper and may be in the content cache.
type CachedPDF struct {
	Path    string // from the mount's root, with a leading slash, as in a Draft
	SHA256  string
	Size    int64
	ModTime time.Time
}

// CopyCacheToFailed copies cached published content to failed/, because the next GetTree answer
// would drop it. reason explains why the service no longer has it, and tells this loss of data from
// others: what an interrupted attempt copied is not copied again. It replaces no entry. On an
// error there is no room for the named file, and the caller must drop nothing. missed counts
// files that are not cached.
func (s *Store) CopyCacheToFailed(reason string, pdfs []CachedPDF) (copied, missed int, err error) {
	entries, sums := s.cachedEntries(reason)
	for _, p := range pdfs {
		entries = append(entries, failed.Entry{Path: p.Path, Reason: reason, Size: p.Size, Mode: 0o644, ModTime: p.ModTime})
		sums = append(sums, p.SHA256)
	}
	done := map[string]int{}
	for _, e := range s.failures.List() {
		if e.Reason == reason {
			done[e.Path]++
		}
	}
	for i, e := range entries {
		cached := done[e.Path] > 0
		if cached {
			done[e.Path]--
		} else if cached, err = s.copyCached(sums[i], e); err != nil {
			return copied, missed, fmt.Errorf("%s cannot be copied to failed/: %w", e.Place(), err)
		}
		if cached {
			copied++
		} else {
			missed++
		}
	}
	s.Forget()
	return copied, missed, nil
}

// cachedEntries returns an entry for each published file without local changes, and its
// SHA-256.
func (s *Store) cachedEntries(reason string) (entries []failed.Entry, sums []string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, n := range s.files {
		if n.Kind != File || n.Parent == nil || n.Dirty() {
			continue
		}
		entries = append(entries, failed.Entry{Path: n.Path(), Reason: reason, Mode: n.Permissions(), ModTime: n.Mtime.Time(), Base: new(tree.Version)})
		sum := ""
		if n.Pub.SHA256.Known() {
			sum = n.Pub.SHA256.String()
		}
		sums = append(sums, sum)
	}
	return entries, sums
}

// copyCached copies cached content to failed/. A kill may leave the file held, until the next attempt.
func (s *Store) copyCached(sum string, e failed.Entry) (cached bool, err error) {
	held := filepath.Join(s.failures.Dir, "held")
	_ = os.Remove(held)
	f, err := s.contents.Open(sum)
	if err != nil {
		return false, nil // not cached
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	e.Size = info.Size()
	if err := s.room.Take(e.Size); err != nil {
		return false, refusal.WithoutRoom(err)
	}
	if err = os.Link(f.Name(), held); err != nil { // for example on another disk
		err = copyTo(held, f)
	}
	if err == nil {
		err = s.failures.AddOlder(held, e)
	}
	if err != nil {
		_ = os.Remove(held)
		s.room.Give(e.Size)
	}
	return err == nil, err
}

func copyTo(path string, from io.Reader) error {
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if err == nil {
		err = to.Sync()
	}
	if closed := to.Close(); err == nil {
		err = closed
	}
	return err
}

// ForgetData forgets all ids of the service's old data. media/ then behaves as if others had
// deleted everything; queued files are sent as new ones to the same path. PDFs that are queued
// for a paper or category move to failed/ with reason, because their place in the new data is
// unknown. The change is durable on return, and ForgetData can be repeated. The store must be
// Paused.
func (s *Store) ForgetData(reason error) error {
	if err := s.movePDFsToFailed(reason); err != nil {
		return err
	}
	if err := s.failures.ForgetData(); err != nil {
		return err
	}
	s.mu.Lock()
	for at := range s.unknown {
		s.changeNoteLocked(journal.NoteChange{At: at, Over: true})
	}
	clear(s.unknown)
	changes, _ := s.reconcileLocked(remote.MediaTree{}, s.serial)
	s.getTree.stale, s.getTree.validator = true, ""
	s.mu.Unlock()
	s.changes.add(changes...)
	return s.Sync()
}
