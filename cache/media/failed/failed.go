package failed

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/disk"
	"paperfs/cache/media/lock"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
)

// Store keeps content that was not published, once a path: the newest.
type Store struct {
	DB   *sql.DB
	Dir  string
	Room *disk.Room
	Now  func() time.Time
	Sync func(dir string) error
	// Written returns when no kill finds content that came here queued, or as scratch.
	Written func() error
	Log     *slog.Logger

	mu      lock.Mutex[lock.Failures]
	byPath  map[string]*Entry // guarded by mu
	byName  map[string]*Entry // guarded by mu
	over    []*Entry          // what has no content, or a newer one of its path, until Forget; guarded by mu
	loading bool              // guarded by mu; Load was called, and Forget was not: nothing is erased
}

func (f *Store) File(id int64) string { return filepath.Join(f.Dir, strconv.FormatInt(id, 10)) }

// enterLocked shows an entry under a name that no other has; f.mu must be held.
func (f *Store) enterLocked(e *Entry) {
	e.Name = path.Base(e.Path)
	for f.byName[e.Name] != nil {
		e.Name = fmt.Sprintf("%s~%d", e.Name, e.ID)
	}
	f.byPath[e.Path], f.byName[e.Name] = e, e
}

// leaveLocked undoes enterLocked; f.mu must be held.
func (f *Store) leaveLocked(e *Entry) {
	delete(f.byPath, e.Path)
	delete(f.byName, e.Name)
	f.Room.Give(e.Size)
}

// erase removes what is kept of an entry: first the content, which may be what
// fills the disk. A row without content is no entry, and the next load removes it. The
// row must stay as long as a kill could find the content where it was before.
func (f *Store) erase(e *Entry) error {
	if err := os.Remove(f.File(e.ID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	crash.At("failure forgotten")
	if err := f.Written(); err != nil {
		f.Log.Warn("the row of what is in failed/ no more stays until the next mount", "error", err)
		return nil
	}
	if _, err := f.DB.Exec("DELETE FROM media_failed WHERE id = ?", e.ID); err != nil {
		f.Log.Warn("the row of what is in failed/ no more stays until the next mount", "error", err)
	}
	return nil
}

// replaceLocked erases an entry that is over. Until Forget that waits: to erase has the tree written,
// which does not know yet which content of an earlier run is queued. f.mu must be held.
func (f *Store) replaceLocked(e *Entry) error {
	if f.loading {
		f.over = append(f.over, e)
		return nil
	}
	return f.erase(e)
}

// Overtake notes that a PDF was sent to a paper, or to a path where a paper was to be
// made: an older one that failed is not to replace it.
func (f *Store) Overtake(paper int64, path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.byName {
		if e.Overtaken || e.Path != path && (paper == 0 || e.Paper != paper) {
			continue
		}
		e.Overtaken = true
		if _, err := f.DB.Exec("UPDATE media_failed SET overtaken = 1 WHERE id = ?", e.ID); err != nil {
			f.Log.Warn("after the next mount paperfs retry takes an older PDF for the newest", "path", e.Path, "error", err)
		}
	}
}

// ForgetData forgets what the entries tell of a service's data that is no more: the papers that
// they were for are not made yet, and what stands at their paths now is not what stood there.
func (f *Store) ForgetData() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.DB.Exec("UPDATE media_failed SET paper = 0, base = CASE WHEN base IS NULL THEN NULL ELSE ? END", baseBytes(new(tree.Version)))
	if err != nil {
		return err
	}
	for _, e := range f.byName {
		e.Paper = 0
		if e.Base != nil {
			e.Base = new(tree.Version)
		}
	}
	return nil
}

// Take removes an entry, and its content unless that was moved away.
func (f *Store) Take(e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.byName[e.Name]
	if now == nil || now.ID != e.ID {
		return nil // replaced since by a newer attempt
	}
	if err := f.erase(now); err != nil {
		return err
	}
	f.leaveLocked(now)
	return nil
}

// List is all entries by name.
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
