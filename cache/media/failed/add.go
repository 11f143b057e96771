package failed

import (
	"errors"
	"os"
	"path/filepath"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/inode"
)

// Add moves the file at source in. It replaces an older entry of the path. A
// crash half-way leaves the source where it was, and the older entry as it was.
func (f *Store) Add(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.addLocked(source, e)
}

// AddDamaged is Add for a PDF that was sent. It replaces no content that is still to be sent to
// the path: then it gets a path of its own.
func (f *Store) AddDamaged(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	e.Overtaken = true
	if other := f.byPath[e.Path]; other != nil && !other.Overtaken {
		e.Path += DamagedEnd
	}
	return f.addLocked(source, e)
}

// AddSent is Add for a PDF that the service has. It replaces no content that is still to be sent to the
// path, as AddDamaged.
func (f *Store) AddSent(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	e.Overtaken = true
	if other := f.byPath[e.Path]; other != nil && !other.Overtaken {
		return f.addOlderLocked(source, e)
	}
	return f.addLocked(source, e)
}

// AddOlder is Add for a PDF that was not sent, where newer content for its path came here before: both stay.
func (f *Store) AddOlder(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.addOlderLocked(source, e)
}

func (f *Store) addOlderLocked(source string, e Entry) error {
	for f.byPath[e.Path] != nil {
		e.Path += olderEnd
		e.Overtaken = true
	}
	return f.addLocked(source, e)
}

// AddFound is Add for a PDF that an earlier run left, where the newest of a path comes first: what came
// here after this one was written stays, as with AddOlder. A kill between two of them changes nothing.
func (f *Store) AddFound(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if other := f.byPath[e.Path]; other != nil && (other.found || other.Since.After(e.ModTime)) {
		return f.addOlderLocked(source, e)
	}
	return f.addLocked(source, e)
}

func (f *Store) addLocked(source string, e Entry) error {
	e.Since, e.Spool, e.found = f.Now(), filepath.Base(source), f.loading
	err := f.DB.QueryRow("INSERT INTO media_failed (path, size, mode, mtime, reason, since, base, paper, unfinished, overtaken, spool) VALUES (?,?,?,?,?,?,?,?,?,?,?) RETURNING id",
		e.Path, e.Size, e.Mode, inode.InstantOf(e.ModTime), e.Reason, inode.InstantOf(e.Since), baseBytes(e.Base), e.Paper, e.Unfinished, e.Overtaken, e.Spool).Scan(&e.ID)
	if err != nil {
		return err
	}
	crash.At("failure written")
	if err := os.Rename(source, f.File(e.ID)); err != nil {
		return errors.Join(err, f.replaceLocked(&e))
	}
	crash.At("content set aside")
	_ = f.Sync(f.Dir) // what follows forgets its name; after a failure no wait succeeds
	if old := f.byPath[e.Path]; old != nil {
		f.leaveLocked(old)
		_ = f.replaceLocked(old) // else the next load does
	}
	f.enterLocked(&e)
	return nil
}
