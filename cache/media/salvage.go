package media

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"paperfs/cache/media/contentcache"
	"paperfs/cache/media/failed"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
	"paperfs/remote"
)

// This file is about a service whose data was replaced: its ids stand for other things now.

// CachedPDF is a PDF that was sent for a paper, whose content may be in the content cache.
type CachedPDF struct {
	Path    string // as of a Draft: from the mount's root, with a slash before it
	SHA256  string
	Size    int64
	ModTime time.Time
}

// SalvageCached puts into failed/ what the service had and is in the content cache, for a reason that
// says why the service has it no more: the next answer would have it dropped. It replaces no entry.
// An error says what has no room; then nothing is dropped. missed counts what is not in the cache.
// What an attempt that was interrupted has salvaged is not salvaged twice.
func (s *Store) SalvageCached(reason string, pdfs []CachedPDF) (salvaged, missed int, err error) {
	entries, sums := s.cachedEntries(reason)
	for _, p := range pdfs {
		entries = append(entries, failed.Entry{Path: p.Path, Reason: reason, Size: p.Size, Mode: 0o644, ModTime: p.ModTime})
		sums = append(sums, p.SHA256)
	}
	if err := s.dropUnfinishedSalvage(); err != nil {
		return 0, 0, err
	}
	before := map[string]failed.Entry{}
	for _, e := range s.failures.List() {
		before[e.Path] = e
	}
	for i, e := range entries {
		again := false
		if e.Path, again, err = s.freePath(e, sums[i], before); err != nil {
			return salvaged, missed, err
		}
		if again {
			salvaged++
			continue
		}
		cached, err := s.salvage(sums[i], e)
		if err != nil {
			return salvaged, missed, fmt.Errorf("%s cannot be kept: %w", e.Place(), err)
		}
		if cached {
			before[e.Path] = failed.Entry{}
			salvaged++
		} else {
			missed++
		}
	}
	s.mu.Lock()
	s.tree.stale = true
	s.mu.Unlock()
	return salvaged, missed, nil
}

// freePath is where in failed/ an entry with the content sum replaces none. It reports where an
// attempt that was interrupted has put it already.
func (s *Store) freePath(e failed.Entry, sum string, before map[string]failed.Entry) (path string, again bool, err error) {
	path = e.Path
	for i := 1; ; i++ {
		there, taken := before[path]
		if !taken {
			return path, false, nil
		}
		if there.ID != 0 && there.Reason == e.Reason {
			if again, err = s.hasSum(there, sum); again || err != nil {
				before[path] = failed.Entry{} // it stands for one
				return path, again, err
			}
		}
		if path = e.Path + " (published)"; i > 1 {
			path = fmt.Sprintf("%s (published %d)", e.Path, i)
		}
	}
}

// hasSum reports whether an entry of failed/ has a content.
func (s *Store) hasSum(e failed.Entry, sum string) (bool, error) {
	f, err := os.Open(s.failures.File(e.ID))
	if err != nil {
		return false, err
	}
	defer f.Close()
	is, _, err := contentcache.SumOf(f)
	return is == sum, err
}

// dropUnfinishedSalvage removes what an attempt that was interrupted has copied in part.
func (s *Store) dropUnfinishedSalvage() error {
	there, err := os.ReadDir(s.failures.Dir)
	for _, entry := range there {
		if strings.HasPrefix(entry.Name(), salvageName) {
			err = errors.Join(err, os.Remove(filepath.Join(s.failures.Dir, entry.Name())))
		}
	}
	return err
}

// salvageName begins the name of cached content on its way to failed/.
const salvageName = "held-"

// cachedEntries are the files that the service has as they are shown, as entries of failed/, and
// their SHA-256.
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

// salvage puts a copy of cached content into failed/.
func (s *Store) salvage(sum string, e failed.Entry) (cached bool, err error) {
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
	copied := filepath.Join(s.failures.Dir, salvageName+sum)
	if err = os.Link(f.Name(), copied); err != nil { // on another disk, say
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

// ForgetData forgets every id of a service's data that is no more: media/ is as if others had
// deleted all of it, and what is queued there is sent as new, to the same path. A PDF that is
// queued for a paper or category goes to failed/ for a reason: nobody knows where it belongs in
// the new data. It is durable when it returns, and can be repeated. The store must be Paused.
func (s *Store) ForgetData(reason error) error {
	if err := s.drafts.SetQueuedAside(reason); err != nil {
		return err
	}
	if err := s.failures.ForgetData(); err != nil {
		return err
	}
	if err := s.unknown.Clear(); err != nil {
		return err
	}
	for ino := range s.intents.Take() {
		if err := s.intents.End(ino); err != nil {
			return err
		}
	}
	s.mu.Lock()
	changes, _ := s.reconcileLocked(remote.MediaTree{}, s.serial)
	s.tree.stale, s.tree.validator = true, ""
	s.mu.Unlock()
	s.changes.add(changes...)
	return s.Sync()
}
