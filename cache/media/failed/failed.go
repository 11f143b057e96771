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
	"paperfs/cache/media/spool"
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

	Spool string // the name that the content had in the spool, empty where that is not known

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

// Load reads the entries. A newer one of a path whose content came takes the
// place of the older.
func (f *Store) Load() error {
	f.byPath, f.byName, f.loading = make(map[string]*Entry), make(map[string]*Entry), true
	rows, err := f.DB.Query("SELECT id, path, size, mode, mtime, reason, since, base, paper, unfinished, overtaken, spool FROM media_failed ORDER BY id")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var e Entry
		var mtime, since int64
		var base []byte
		if err := rows.Scan(&e.ID, &e.Path, &e.Size, &e.Mode, &mtime, &e.Reason, &since, &base, &e.Paper, &e.Unfinished, &e.Overtaken, &e.Spool); err != nil {
			return err
		}
		if e.Base, err = readBase(base); err != nil {
			return err
		}
		e.ModTime, e.Since = inode.Instant(mtime).Time(), inode.Instant(since).Time()
		if _, err := os.Stat(f.File(e.ID)); err != nil {
			f.over = append(f.over, &e)
			continue
		}
		if older := f.byPath[e.Path]; older != nil {
			f.over = append(f.over, older)
		}
		f.byPath[e.Path] = &e
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, e := range slices.SortedFunc(maps.Values(f.byPath), func(a, b *Entry) int { return cmp.Compare(a.ID, b.ID) }) {
		f.Room.Add(e.Size)
		f.enter(e)
	}
	return nil
}

// Has reports whether the content of a spool came here in an earlier run, and may be
// gone again.
func (f *Store) Has(name string) bool {
	return f.hasOne(func(e *Entry) bool { return e.Spool == name })
}

// HasPart is Has of what is left of some spool of an inode, which was at path.
func (f *Store) HasPart(ino inode.Ino, path string) bool {
	return f.hasOne(func(e *Entry) bool {
		of, _, is := spool.Parse(e.Spool)
		return is && of == ino && e.Path == path
	})
}

func (f *Store) hasOne(is func(*Entry) bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.over, is) || slices.ContainsFunc(slices.Collect(maps.Values(f.byName)), is)
}

// Forget erases what Load found to be over, and what became so since.
func (f *Store) Forget() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loading = false
	for _, e := range f.over {
		if err := f.erase(e); err != nil {
			return err
		}
	}
	f.over = nil
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

// replace erases an entry that is over. Until Forget that waits: to erase has the tree written,
// which does not know yet which content of an earlier run is queued. f.mu must be held.
func (f *Store) replace(e *Entry) error {
	if f.loading {
		f.over = append(f.over, e)
		return nil
	}
	return f.erase(e)
}

// Add moves the file at source in. It replaces an older entry of the path. A
// crash half-way leaves the source where it was, and the older entry as it was.
func (f *Store) Add(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.addLocked(source, e)
}

// DamagedEnd ends the path that is no file's, of content that AddDamaged finds the path taken for.
const DamagedEnd = " (damaged)"

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

// olderEnd ends the path that is no file's, of content that AddOlder finds the path taken for.
const olderEnd = " (older)"

// AddOlder is Add for a PDF that was not sent, where newer content for its path came here before: both stay.
func (f *Store) AddOlder(source string, e Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.byPath[e.Path] != nil {
		e.Path += olderEnd
		e.Overtaken = true
	}
	return f.addLocked(source, e)
}

// Target is the path that content was meant for, of a path or a place of an entry.
func Target(path string) string {
	path = strings.TrimSuffix(path, DamagedEnd)
	for strings.HasSuffix(path, olderEnd) {
		path = strings.TrimSuffix(path, olderEnd)
	}
	return path
}

func (f *Store) addLocked(source string, e Entry) error {
	e.Since, e.Spool = f.Now(), filepath.Base(source)
	err := f.DB.QueryRow("INSERT INTO media_failed (path, size, mode, mtime, reason, since, base, paper, unfinished, overtaken, spool) VALUES (?,?,?,?,?,?,?,?,?,?,?) RETURNING id",
		e.Path, e.Size, e.Mode, inode.InstantOf(e.ModTime), e.Reason, inode.InstantOf(e.Since), baseBytes(e.Base), e.Paper, e.Unfinished, e.Overtaken, e.Spool).Scan(&e.ID)
	if err != nil {
		return err
	}
	crash.At("failure written")
	if err := os.Rename(source, f.File(e.ID)); err != nil {
		return errors.Join(err, f.replace(&e))
	}
	crash.At("content set aside")
	_ = f.Sync(f.Dir) // what follows forgets its name; after a failure no wait succeeds
	if old := f.byPath[e.Path]; old != nil {
		f.leave(old)
		_ = f.replace(old) // else the next load does
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
