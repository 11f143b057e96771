package failed

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/lock"
	"paperfs/cache/content/refusal"
)

// Store holds content that was not published, the newest of each place.
type Store struct {
	DB   *sql.DB
	Dir  string
	Room *disk.Room
	Now  func() time.Time
	Sync func(dir string) error
	// Written returns once a kill can no longer restore added content as queued or scratch.
	Written   func() error
	Temporary func(path string) bool // a Draft's path has a temporary name: its Paper is the category or paper that it is in
	Log       *slog.Logger

	mu      lock.Mutex[lock.Failures]
	byPlace map[place]*Entry  // guarded by mu
	byName  map[string]*Entry // guarded by mu
	over    []*Entry          // guarded by mu: entries to be erased by Forget: without content, or replaced
	loading bool              // guarded by mu: between Load and Forget, when nothing is erased
}

func (f *Store) File(id int64) string { return filepath.Join(f.Dir, strconv.FormatInt(id, 10)) }

// enterLocked adds an entry under a unique name; f.mu must be held.
func (f *Store) enterLocked(e *Entry) {
	end := e.Suffix
	for e.Name = nameOf(e, end); f.byName[e.Name] != nil; e.Name = nameOf(e, end) {
		end += fmt.Sprintf("~%d", e.ID)
	}
	f.byPlace[f.at(e)], f.byName[e.Name] = e, e
}

// leaveLocked undoes enterLocked; f.mu must be held.
func (f *Store) leaveLocked(e *Entry) {
	delete(f.byPlace, f.at(e))
	delete(f.byName, e.Name)
	f.Room.Give(e.Size)
}

// erase removes the file and row of an entry. The content goes first, because it may be what
// fills the disk; a row without content is no entry, and the next Load removes it. The row
// stays as long as a kill could restore the content at its old place.
func (f *Store) erase(e *Entry) error {
	if err := os.Remove(f.File(e.ID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	disk.CrashPoint("failure forgotten")
	if err := f.Written(); err != nil {
		f.Log.Warn("cannot delete the row of a removed entry of failed/; the next mount does", "error", err)
		return nil
	}
	if _, err := f.DB.Exec("DELETE FROM media_failed WHERE id = ?", e.ID); err != nil {
		f.Log.Warn("cannot delete the row of a removed entry of failed/; the next mount does", "error", err)
	}
	return nil
}

// replaceLocked erases a replaced entry, or leaves that to Forget while loading: erasing writes
// the tree, which does not know yet which content of an earlier run is queued. f.mu must be
// held.
func (f *Store) replaceLocked(e *Entry) error {
	if f.loading {
		f.over = append(f.over, e)
		return nil
	}
	return f.erase(e)
}

// Overtake records that a PDF was sent, to its paper or to a new one: older entries for the same place should not
// replace it.
func (f *Store) Overtake(sent Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	to, unmade := f.at(&sent), f.at(&Entry{Dir: sent.Dir, Path: sent.Path})
	for _, e := range f.byName {
		if at := f.at(&Entry{Paper: e.Paper, Dir: e.Dir, Path: e.Path}); e.Overtaken || at != to && at != unmade {
			continue
		}
		e.Overtaken = true
		if _, err := f.DB.Exec("UPDATE media_failed SET overtaken = 1 WHERE id = ?", e.ID); err != nil {
			f.Log.Warn("cannot record that a newer PDF was sent; after the next mount paperfs retry may send the older one", "path", e.Path, "error", err)
		}
	}
}

// Take removes an entry and its content, unless that was moved away.
func (f *Store) Take(e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.byName[e.Name]
	if now == nil || now.ID != e.ID {
		return nil // replaced by a newer entry in the meantime
	}
	if err := f.erase(now); err != nil {
		return err
	}
	f.leaveLocked(now)
	return nil
}

// List returns all entries by name.
func (f *Store) List() []Entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := make([]Entry, 0, len(f.byName))
	for _, e := range f.byName {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func (f *Store) Find(name string) (Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e := f.byName[name]; e != nil {
		return *e, nil
	}
	return Entry{}, refusal.NoSuchFile(name)
}
