package media

import (
	"database/sql"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// FailedEntry is content that was not published.
type FailedEntry struct {
	Name    string // in failed/: the last part of Path, with ~NUMBER where another entry has it
	Path    string // where it was meant to go, below media/
	Reason  string
	Size    int64
	Mode    uint32
	ModTime time.Time
	Since   time.Time

	id int64
}

// failures keeps content that was not published, once a path: the newest.
type failures struct {
	db   *sql.DB
	dir  string
	room *room
	now  func() time.Time

	mu     sync.Mutex
	byPath map[string]*FailedEntry // guarded by mu
}

func (f *failures) file(id int64) string { return filepath.Join(f.dir, strconv.FormatInt(id, 10)) }

func (f *failures) load() error {
	f.byPath = make(map[string]*FailedEntry)
	rows, err := f.db.Query("SELECT id, path, size, mode, mtime, reason, since FROM media_failed")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var e FailedEntry
		var mtime, since int64
		if err := rows.Scan(&e.id, &e.Path, &e.Size, &e.Mode, &mtime, &e.Reason, &since); err != nil {
			return err
		}
		e.ModTime, e.Since = instant(mtime).time(), instant(since).time()
		if _, err := os.Stat(f.file(e.id)); err == nil {
			f.byPath[e.Path] = &e
			f.room.hold(e.Size)
		}
	}
	return rows.Err()
}

// add moves the file at source in. It replaces an older entry of the path. A
// crash half-way leaves the source where it was.
func (f *failures) add(source string, e FailedEntry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	e.Since = f.now()
	err := f.db.QueryRow(`INSERT INTO media_failed (path, size, mode, mtime, reason, since) VALUES (?,?,?,?,?,?)
		ON CONFLICT (path) DO UPDATE SET size = excluded.size, mode = excluded.mode, mtime = excluded.mtime,
		reason = excluded.reason, since = excluded.since RETURNING id`,
		e.Path, e.Size, e.Mode, instantOf(e.ModTime), e.Reason, instantOf(e.Since)).Scan(&e.id)
	if err != nil {
		return err
	}
	step("failure written")
	if err := os.Rename(source, f.file(e.id)); err != nil {
		return err
	}
	step("content set aside")
	if old := f.byPath[e.Path]; old != nil {
		f.room.give(old.Size)
	}
	f.byPath[e.Path] = &e
	return nil
}

// take removes an entry, and its content unless that was moved away.
func (f *failures) take(e FailedEntry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := f.byPath[e.Path]; now == nil || !now.Since.Equal(e.Since) {
		return nil // replaced meanwhile by a newer attempt
	}
	if _, err := f.db.Exec("DELETE FROM media_failed WHERE id = ?", e.id); err != nil {
		return err
	}
	step("failure forgotten")
	delete(f.byPath, e.Path)
	f.room.give(e.Size)
	_ = os.Remove(f.file(e.id)) // without its row it is never shown again
	return nil
}

// list is all entries by name.
func (f *failures) list() []FailedEntry {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := make([]FailedEntry, 0, len(f.byPath))
	for _, e := range f.byPath {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b FailedEntry) int { return int(a.id - b.id) })
	used := make(map[string]bool)
	for i := range list {
		e := &list[i]
		e.Name = path.Base(e.Path)
		if used[e.Name] {
			e.Name = fmt.Sprintf("%s~%d", e.Name, e.id)
		}
		used[e.Name] = true
	}
	slices.SortFunc(list, func(a, b FailedEntry) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func (f *failures) find(name string) (FailedEntry, error) {
	for _, e := range f.list() {
		if e.Name == name {
			return e, nil
		}
	}
	return FailedEntry{}, notFound(name)
}

// Failed lists the content that was not published.
func (s *Store) Failed() []FailedEntry { return s.failures.list() }

// OpenFailed opens the content of an entry for reading.
func (s *Store) OpenFailed(name string) (*os.File, error) {
	e, err := s.failures.find(name)
	if err != nil {
		return nil, err
	}
	return os.Open(s.failures.file(e.id))
}

// DiscardFailed removes an entry for good.
func (s *Store) DiscardFailed(name string) error {
	e, err := s.failures.find(name)
	if err != nil {
		return err
	}
	return s.failures.take(e)
}
