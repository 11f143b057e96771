package failed

import (
	"errors"
	"os"
	"path/filepath"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/spool"
)

// Add moves the file at source into failed/. It replaces an older entry for the same path, and stays beside one whose content
// was begun later, as with AddOlder: what is queued may fail after the newest content. A crash during Add leaves the source and
// the older entry as they were.
func (f *Store) Add(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if other := f.byPath[e.at()]; other != nil {
		_, begun, is := spool.Parse(filepath.Base(source))
		if _, later, has := spool.Parse(other.Spool); is && has && begun < later {
			return f.addOlderLocked(source, e)
		}
	}
	return f.addLocked(source, e)
}

// AddDamaged is Add for a PDF that was sent. If an entry for the same path still has to be
// sent, the new entry gets a suffix.
func (f *Store) AddDamaged(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	e.Overtaken = true
	if other := f.byPath[e.at()]; other != nil && !other.Overtaken {
		e.Suffix = damaged
	}
	return f.addLocked(source, e)
}

// AddSent is Add for a PDF that the service has. Like AddDamaged, it does not replace content
// that still has to be sent.
func (f *Store) AddSent(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	e.Overtaken = true
	if other := f.byPath[e.at()]; other != nil && !other.Overtaken {
		return f.addOlderLocked(source, e)
	}
	return f.addLocked(source, e)
}

// AddOlder is Add for content that was not sent, when newer content for its path was added
// before: both stay.
func (f *Store) AddOlder(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.addOlderLocked(source, e)
}

func (f *Store) addOlderLocked(source string, e Entry) error {
	for f.byPath[e.at()] != nil {
		e.Suffix += older
		e.Overtaken = true
	}
	return f.addLocked(source, e)
}

// AddPDF is Add for a PDF that was not sent. Of an earlier run, the newest of a path is added
// first: an entry that was added after this content was written stays, as with AddOlder. A kill
// between two calls changes nothing.
func (f *Store) AddPDF(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if other := f.byPath[e.at()]; f.loading && other != nil && (other.found || other.Since.After(e.ModTime)) {
		return f.addOlderLocked(source, e)
	}
	return f.addLocked(source, e)
}

func (f *Store) addLocked(source string, e Entry) error {
	e.Since, e.Spool, e.found = f.Now(), filepath.Base(source), f.loading
	err := f.DB.QueryRow("INSERT INTO media_failed (path, suffix, size, mode, mtime, reason, since, base, paper, unfinished, overtaken, spool) VALUES (?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id",
		e.Path, e.Suffix, e.Size, e.Mode, inode.InstantOf(e.ModTime), e.Reason, inode.InstantOf(e.Since), baseBytes(e.Base), e.Paper, e.Unfinished, e.Overtaken, e.Spool).Scan(&e.ID)
	if err != nil {
		return err
	}
	disk.CrashPoint("failure written")
	if err := os.Rename(source, f.File(e.ID)); err != nil {
		return errors.Join(err, f.replaceLocked(&e))
	}
	disk.CrashPoint("content set aside")
	_ = f.Sync(f.Dir) // the caller forgets the source next; after a failure every later wait fails
	if old := f.byPath[e.at()]; old != nil {
		f.leaveLocked(old)
		_ = f.replaceLocked(old) // if this fails, the next Load does it
	}
	f.enterLocked(&e)
	return nil
}
