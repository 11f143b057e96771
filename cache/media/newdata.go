package media

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"paperfs/cache/content/contentcache"
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
// would drop it. reason explains why the service no longer has it. It replaces no entry. On an
// error there is no room for the named file, and the caller must drop nothing. missed counts
// files that are not cached. Content that an interrupted attempt copied is not copied twice.
func (s *Store) CopyCacheToFailed(reason string, pdfs []CachedPDF) (copied, missed int, err error) {
	entries, sums := s.cachedEntries(reason)
	for _, p := range pdfs {
		entries = append(entries, failed.Entry{Path: p.Path, Reason: reason, Size: p.Size, Mode: 0o644, ModTime: p.ModTime})
		sums = append(sums, p.SHA256)
	}
	if err := s.dropUnfinishedCopies(); err != nil {
		return 0, 0, err
	}
	before := map[string]failed.Entry{}
	for _, e := range s.failures.List() {
		before[e.Path+e.Suffix] = e
	}
	for i, e := range entries {
		again := false
		if e.Suffix, again, err = s.freeSuffix(e, sums[i], before); err != nil {
			return copied, missed, err
		}
		if again {
			copied++
			continue
		}
		cached, err := s.copyCached(sums[i], e)
		if err != nil {
			return copied, missed, fmt.Errorf("%s cannot be copied to failed/: %w", e.Place(), err)
		}
		if cached {
			before[e.Path+e.Suffix] = failed.Entry{}
			copied++
		} else {
			missed++
		}
	}
	s.mu.Lock()
	s.tree.stale = true
	s.mu.Unlock()
	return copied, missed, nil
}

// freeSuffix returns a suffix for e with which no other entry in failed/ has its path. again
// reports that an interrupted attempt already copied this content.
func (s *Store) freeSuffix(e failed.Entry, sum string, before map[string]failed.Entry) (suffix string, again bool, err error) {
	for i := 1; ; i++ {
		there, taken := before[e.Path+suffix]
		if !taken {
			return suffix, false, nil
		}
		if there.ID != 0 && there.Reason == e.Reason {
			if again, err = s.hasSum(there, sum); again || err != nil {
				before[e.Path+suffix] = failed.Entry{} // it matches only one file
				return suffix, again, err
			}
		}
		if suffix = " (published)"; i > 1 {
			suffix = fmt.Sprintf(" (published %d)", i)
		}
	}
}

// hasSum reports whether the content of an entry of failed/ has the SHA-256 sum.
func (s *Store) hasSum(e failed.Entry, sum string) (bool, error) {
	f, err := os.Open(s.failures.File(e.ID))
	if err != nil {
		return false, err
	}
	defer f.Close()
	is, _, err := contentcache.SumOf(f)
	return is == sum, err
}

// dropUnfinishedCopies removes partial copies of an interrupted attempt.
func (s *Store) dropUnfinishedCopies() error {
	there, err := os.ReadDir(s.failures.Dir)
	for _, entry := range there {
		if strings.HasPrefix(entry.Name(), cachedCopyPrefix) {
			err = errors.Join(err, os.Remove(filepath.Join(s.failures.Dir, entry.Name())))
		}
	}
	return err
}

// cachedCopyPrefix is the prefix of a copy on its way to failed/.
const cachedCopyPrefix = "held-"

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

// copyCached copies cached content to failed/.
func (s *Store) copyCached(sum string, e failed.Entry) (cached bool, err error) {
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
	copied := filepath.Join(s.failures.Dir, cachedCopyPrefix+sum)
	if err = os.Link(f.Name(), copied); err != nil { // for example on another disk
		err = copyTo(copied, f)
	}
	if err == nil {
		err = s.failures.Add(copied, e)
	}
	if err != nil {
		_ = os.Remove(copied)
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
	if err := s.drafts.MoveQueuedToFailed(reason); err != nil {
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
	s.tree.stale, s.tree.validator = true, ""
	s.mu.Unlock()
	s.changes.add(changes...)
	return s.Sync()
}
