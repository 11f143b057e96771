package failed

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/disk"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/lock"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
)

// Entry is content that was not published.
type Entry struct {
	Name    string // in failed/: the last part of Path, with ~NUMBER where another entry had it; it stays while the store is open
	Path    string // where it was meant to go, below media/; of a Draft from the mount's root, with a slash before it
	Reason  string
	Size    int64
	Mode    uint32
	ModTime time.Time
	Since   time.Time
	// Replaced tells that Path has other content than when this failed, or is being
	// written again: to send this undoes that.
	Replaced bool
	// Unfinished tells that the content may be a part: who wrote it was killed, or a
	// write failed.
	Unfinished bool
	// Unnamed tells that a kill came before the name of the content was kept: Path is
	// none.
	Unnamed bool
	// Temporary tells that Path, which is one of a Draft, is on the way to a PDF's name:
	// nothing is sent there.
	Temporary bool

	ID        int64 // never given twice, so that nobody takes one entry for another
	Paper     int64 // of a Draft: what it was meant for, 0 where that was to be made
	Overtaken bool  // of a Draft: its paper has another, sent later from here or put there by others

	Base *tree.Version // what the service had at Path when this failed, nil where that is not known
}

// Place is where the content was meant to go, from the mount's root.
func (e Entry) Place() string { return tree.MountPath(e.Path) }

// Unnamed begins the path of an entry that has none.
const Unnamed = "unnamed-"

// Store keeps content that was not published, once a path: the newest.
type Store struct {
	DB   *sql.DB
	Dir  string
	Room *disk.Room
	Now  func() time.Time
	Sync func(dir string) error
	Log  *slog.Logger

	mu     lock.Mutex[lock.Failures]
	byPath map[string]*Entry // guarded by mu
	byName map[string]*Entry // guarded by mu
}

func (f *Store) File(id int64) string { return filepath.Join(f.Dir, strconv.FormatInt(id, 10)) }

// Load reads the entries. A newer one of a path whose content came takes the
// place of the older.
func (f *Store) Load() error {
	f.byPath, f.byName = make(map[string]*Entry), make(map[string]*Entry)
	rows, err := f.DB.Query("SELECT id, path, size, mode, mtime, reason, since, base, paper, unfinished, overtaken FROM media_failed ORDER BY id")
	if err != nil {
		return err
	}
	defer rows.Close()
	var over []*Entry
	for rows.Next() {
		var e Entry
		var mtime, since int64
		var base []byte
		if err := rows.Scan(&e.ID, &e.Path, &e.Size, &e.Mode, &mtime, &e.Reason, &since, &base, &e.Paper, &e.Unfinished, &e.Overtaken); err != nil {
			return err
		}
		if e.Base, err = readBase(base); err != nil {
			return err
		}
		e.ModTime, e.Since = inode.Instant(mtime).Time(), inode.Instant(since).Time()
		if _, err := os.Stat(f.File(e.ID)); err != nil {
			over = append(over, &e)
			continue
		}
		if older := f.byPath[e.Path]; older != nil {
			over = append(over, older)
		}
		f.byPath[e.Path] = &e
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, e := range over {
		if err := f.erase(e); err != nil {
			return err
		}
	}
	for _, e := range slices.SortedFunc(maps.Values(f.byPath), func(a, b *Entry) int { return cmp.Compare(a.ID, b.ID) }) {
		f.Room.Add(e.Size)
		f.enter(e)
	}
	return nil
}

// enter shows an entry under a name that no other has; f.mu must be held.
func (f *Store) enter(e *Entry) {
	e.Name = path.Base(e.Path)
	for f.byName[e.Name] != nil {
		e.Name = fmt.Sprintf("%s~%d", e.Name, e.ID)
	}
	f.byPath[e.Path], f.byName[e.Name] = e, e
}

// leave undoes enter; f.mu must be held.
func (f *Store) leave(e *Entry) {
	delete(f.byPath, e.Path)
	delete(f.byName, e.Name)
	f.Room.Give(e.Size)
}

// erase removes what is kept of an entry: first the content, which may be what
// fills the disk. A row without content is none, and goes with the next load.
func (f *Store) erase(e *Entry) error {
	if err := os.Remove(f.File(e.ID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	crash.At("failure forgotten")
	if _, err := f.DB.Exec("DELETE FROM media_failed WHERE id = ?", e.ID); err != nil {
		f.Log.Warn("the row of what is in failed/ no more stays until the next mount", "error", err)
	}
	return nil
}

// Add moves the file at source in. It replaces an older entry of the path. A
// crash half-way leaves the source where it was, and the older entry as it was.
func (f *Store) Add(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	e.Since = f.Now()
	err := f.DB.QueryRow("INSERT INTO media_failed (path, size, mode, mtime, reason, since, base, paper, unfinished, overtaken) VALUES (?,?,?,?,?,?,?,?,?,?) RETURNING id",
		e.Path, e.Size, e.Mode, inode.InstantOf(e.ModTime), e.Reason, inode.InstantOf(e.Since), baseBytes(e.Base), e.Paper, e.Unfinished, e.Overtaken).Scan(&e.ID)
	if err != nil {
		return err
	}
	crash.At("failure written")
	if err := os.Rename(source, f.File(e.ID)); err != nil {
		return errors.Join(err, f.erase(&e))
	}
	crash.At("content set aside")
	_ = f.Sync(f.Dir) // what follows forgets its name; after a failure no wait succeeds
	if old := f.byPath[e.Path]; old != nil {
		f.leave(old)
		_ = f.erase(old) // else the next load does
	}
	f.enter(&e)
	return nil
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

// Take removes an entry, and its content unless that was moved away.
func (f *Store) Take(e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.byName[e.Name]
	if now == nil || now.ID != e.ID {
		return nil // replaced meanwhile by a newer attempt
	}
	if err := f.erase(now); err != nil {
		return err
	}
	f.leave(now)
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

// EntryOf is an entry of failed/ for content of n; Store.mu must be held.
func EntryOf(n *tree.Node, size int64, reason error) Entry {
	base := n.Pub
	return Entry{Path: n.Path(), Reason: reason.Error(), Size: size, Mode: n.Permissions(), ModTime: n.Mtime.Time(),
		Unfinished: IsUnfinished(reason), Base: &base}
}

// Replaces reports whether a node, nil where none is, has other content than base,
// which was there before; Store.mu must be held.
func Replaces(n *tree.Node, base tree.Version) bool {
	if n == nil || n.Kind != inode.File || n.Local() {
		return false
	}
	return n.Dirty() || n.Pub.ID != 0 && (n.Pub.ID != base.ID || base.Differs(n.Pub))
}

// baseBytes is a version as the row of an entry keeps it, without its address.
func baseBytes(base *tree.Version) (b journal.Fields) {
	if base == nil {
		return nil
	}
	b.Number(base.ID)
	b.Number(base.Size)
	b.Number(base.KB)
	b.Text(base.SHA256.String())
	return b
}

func readBase(kept []byte) (*tree.Version, error) {
	if kept == nil {
		return nil, nil
	}
	b := journal.Reader{Rest: kept}
	base := tree.Version{ID: b.Number(), Size: b.Number(), KB: b.Number(), SHA256: inode.DigestOf(b.Text())}
	return &base, b.Err
}

// partial is the reason of content that may be a part.
type partial struct{ error }

func (e partial) Unwrap() error { return e.error }

// Unfinished is a reason for content that may be a part.
func Unfinished(reason error) error { return partial{reason} }

func IsUnfinished(reason error) bool { return errors.As(reason, new(partial)) }
