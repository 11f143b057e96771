package failed

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// Add moves the file at source into failed/. It replaces an older entry for the same place, and stays beside one whose content
// was begun later, as with AddOlder: what is queued may fail after the newest content. A crash during Add leaves the source and
// the older entry as they were.
func (f *Store) Add(source string, e Entry) error {
	begun, is := spool.Parse(filepath.Base(source))
	return f.add(source, e, func(other *Entry) bool {
		later, has := spool.Parse(other.Spool)
		return is && has && begun < later
	})
}

// AddDamaged is Add for a PDF that was sent. If an entry for the same place still has to be
// sent, the new entry gets a suffix.
func (f *Store) AddDamaged(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	e.Overtaken = true
	if other := f.otherLocked(e); other != nil && !other.Overtaken {
		e.Suffix = damaged
	}
	return f.addLocked(source, e)
}

// AddSent is Add for a PDF that the service has. Like AddDamaged, it does not replace content
// that still has to be sent.
func (f *Store) AddSent(source string, e Entry) error {
	e.Overtaken = true
	return f.add(source, e, func(other *Entry) bool { return !other.Overtaken })
}

// AddOlder is Add for content that was not sent, when newer content for its place was added
// before: both stay.
func (f *Store) AddOlder(source string, e Entry) error {
	return f.add(source, e, func(*Entry) bool { return true })
}

// AddForeign is AddOlder for an entry of another state, whose service has other data: its ids mean other things here. A PDF belongs to
// itself from now on.
func (f *Store) AddForeign(source string, e Entry) error {
	if e.Base != nil {
		e.Base = new(tree.Version)
	}
	if strings.HasPrefix(e.Path, "/") {
		e.Paper, e.Dir = -f.Now().UnixNano(), 0
	}
	e.Spool, e.Ino = "elsewhere", 0
	return f.AddOlder(source, e)
}

// add is Add beside an entry for the same place that stays.
func (f *Store) add(source string, e Entry, stays func(other *Entry) bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for other := f.otherLocked(e); other != nil && (e.Suffix != "" || stays(other)); other = f.otherLocked(e) {
		e.Suffix += older
		e.Overtaken = true
	}
	return f.addLocked(source, e)
}

func (f *Store) addLocked(source string, e Entry) error {
	e.Since, e.Spool = f.Now(), cmp.Or(e.Spool, filepath.Base(source))
	err := f.DB.QueryRow("INSERT INTO media_failed (path, suffix, size, mode, mtime, reason, since, base, paper, dir, unfinished, overtaken, spool) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id",
		e.Path, e.Suffix, e.Size, e.Mode, inode.InstantOf(e.ModTime), e.Reason, inode.InstantOf(e.Since), baseBytes(e.Base), e.Paper, e.Dir, e.Unfinished, e.Overtaken, e.Spool).Scan(&e.ID)
	if err != nil {
		return err
	}
	disk.CrashPoint("failure written")
	if err := os.Rename(source, f.File(e.ID)); err != nil {
		return errors.Join(err, f.replaceLocked(&e))
	}
	disk.CrashPoint("content set aside")
	_ = f.Sync(f.Dir) // the caller forgets the source next; after a failure every later wait fails
	if old := f.otherLocked(e); old != nil {
		f.leaveLocked(old)
		_ = f.replaceLocked(old) // if this fails, the next Load does it
	}
	f.enterLocked(&e)
	return nil
}
