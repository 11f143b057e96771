package media

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
	"paperfs/cache/media/lock"
	"paperfs/cache/media/refusal"
)

// FailedEntry is content that was not published.
type FailedEntry struct {
	Name    string // in failed/: the last part of Path, with ~NUMBER where another entry had it; it stays while the store is open
	Path    string // where it was meant to go, below media/; of a Draft from the mount's root, with a slash before it
	Reason  string
	Size    int64
	Mode    uint32
	ModTime time.Time
	Since   time.Time
	// Replaced tells that Path has other content than when this failed, or is being
	// written anew: to send this undoes that.
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

	id        int64 // never given twice, so that nobody takes one entry for another
	paper     int64 // of a Draft: what it was meant for, 0 where that was to be made
	overtaken bool  // of a Draft: its paper has another, sent later from here or put there by others

	base *version // what the service had at Path when this failed, nil where that is not known
}

// Place is where the content was meant to go, from the mount's root.
func (e FailedEntry) Place() string { return mountPath(e.Path) }

// mountPath is a path from the mount's root: a slash begins what is not below media/.
func mountPath(path string) string {
	if place, ok := strings.CutPrefix(path, "/"); ok {
		return place
	}
	return "media/" + path
}

// unnamed begins the path of an entry that has none.
const unnamed = "unnamed-"

// failures keeps content that was not published, once a path: the newest.
type failures struct {
	db   *sql.DB
	dir  string
	room *disk.Room
	now  func() time.Time
	sync func(dir string) error
	log  *slog.Logger

	mu     lock.Mutex[lock.Failures]
	byPath map[string]*FailedEntry // guarded by mu
	byName map[string]*FailedEntry // guarded by mu
}

func (f *failures) file(id int64) string { return filepath.Join(f.dir, strconv.FormatInt(id, 10)) }

// load reads the entries. A newer one of a path whose content came takes the
// place of the older.
func (f *failures) load() error {
	f.byPath, f.byName = make(map[string]*FailedEntry), make(map[string]*FailedEntry)
	rows, err := f.db.Query("SELECT id, path, size, mode, mtime, reason, since, base, paper, unfinished, overtaken FROM media_failed ORDER BY id")
	if err != nil {
		return err
	}
	defer rows.Close()
	var over []*FailedEntry
	for rows.Next() {
		var e FailedEntry
		var mtime, since int64
		var base []byte
		if err := rows.Scan(&e.id, &e.Path, &e.Size, &e.Mode, &mtime, &e.Reason, &since, &base, &e.paper, &e.Unfinished, &e.overtaken); err != nil {
			return err
		}
		if e.base, err = readBase(base); err != nil {
			return err
		}
		e.ModTime, e.Since = inode.Instant(mtime).Time(), inode.Instant(since).Time()
		if _, err := os.Stat(f.file(e.id)); err != nil {
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
	for _, e := range slices.SortedFunc(maps.Values(f.byPath), func(a, b *FailedEntry) int { return cmp.Compare(a.id, b.id) }) {
		f.room.Hold(e.Size)
		f.enter(e)
	}
	return nil
}

// enter shows an entry under a name that no other has; f.mu must be held.
func (f *failures) enter(e *FailedEntry) {
	e.Name = path.Base(e.Path)
	for f.byName[e.Name] != nil {
		e.Name = fmt.Sprintf("%s~%d", e.Name, e.id)
	}
	f.byPath[e.Path], f.byName[e.Name] = e, e
}

// leave undoes enter; f.mu must be held.
func (f *failures) leave(e *FailedEntry) {
	delete(f.byPath, e.Path)
	delete(f.byName, e.Name)
	f.room.Give(e.Size)
}

// erase removes what is kept of an entry: first the content, which may be what
// fills the disk. A row without content is none, and goes with the next load.
func (f *failures) erase(e *FailedEntry) error {
	if err := os.Remove(f.file(e.id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	crash.At("failure forgotten")
	if _, err := f.db.Exec("DELETE FROM media_failed WHERE id = ?", e.id); err != nil {
		f.log.Warn("the row of what is in failed/ no more stays until the next mount", "error", err)
	}
	return nil
}

// add moves the file at source in. It replaces an older entry of the path. A
// crash half-way leaves the source where it was, and the older entry as it was.
func (f *failures) add(source string, e FailedEntry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	e.Since = f.now()
	err := f.db.QueryRow("INSERT INTO media_failed (path, size, mode, mtime, reason, since, base, paper, unfinished, overtaken) VALUES (?,?,?,?,?,?,?,?,?,?) RETURNING id",
		e.Path, e.Size, e.Mode, inode.InstantOf(e.ModTime), e.Reason, inode.InstantOf(e.Since), e.base.bytes(), e.paper, e.Unfinished, e.overtaken).Scan(&e.id)
	if err != nil {
		return err
	}
	crash.At("failure written")
	if err := os.Rename(source, f.file(e.id)); err != nil {
		return errors.Join(err, f.erase(&e))
	}
	crash.At("content set aside")
	_ = f.sync(f.dir) // what follows forgets its name; after a failure no wait succeeds
	if old := f.byPath[e.Path]; old != nil {
		f.leave(old)
		_ = f.erase(old) // else the next load does
	}
	f.enter(&e)
	return nil
}

// overtake notes that a PDF was sent to a paper, or to a path where a paper was to be
// made: an older one that failed is not to replace it.
func (f *failures) overtake(paper int64, path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.byName {
		if e.overtaken || e.Path != path && (paper == 0 || e.paper != paper) {
			continue
		}
		e.overtaken = true
		if _, err := f.db.Exec("UPDATE media_failed SET overtaken = 1 WHERE id = ?", e.id); err != nil {
			f.log.Warn("after the next mount paperfs retry takes an older PDF for the newest", "path", e.Path, "error", err)
		}
	}
}

// take removes an entry, and its content unless that was moved away.
func (f *failures) take(e FailedEntry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.byName[e.Name]
	if now == nil || now.id != e.id {
		return nil // replaced meanwhile by a newer attempt
	}
	if err := f.erase(now); err != nil {
		return err
	}
	f.leave(now)
	return nil
}

// list is all entries by name.
func (f *failures) list() []FailedEntry {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := make([]FailedEntry, 0, len(f.byName))
	for _, e := range f.byName {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b FailedEntry) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func (f *failures) find(name string) (FailedEntry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e := f.byName[name]; e != nil {
		return *e, nil
	}
	return FailedEntry{}, refusal.NoSuchFile(name)
}

// failedEntry is an entry of failed/ for content of n; Store.mu must be held.
func (n *node) failedEntry(size int64, reason error) FailedEntry {
	base := n.pub
	return FailedEntry{Path: n.path(), Reason: reason.Error(), Size: size, Mode: n.permissions(), ModTime: n.mtime.Time(),
		Unfinished: isUnfinished(reason), base: &base}
}

// replaces reports whether a node, nil where none is, has other content than base,
// which was there before; Store.mu must be held.
func (n *node) replaces(base version) bool {
	if n == nil || n.kind != File || n.local() {
		return false
	}
	return n.dirty() || n.pub.id != 0 && (n.pub.id != base.id || base.differs(n.pub))
}

// bytes is a version as the row of an entry keeps it, without its address.
func (base *version) bytes() (b fields) {
	if base == nil {
		return nil
	}
	b.number(base.id)
	b.number(base.size)
	b.number(base.kb)
	b.text(base.sha256.String())
	return b
}

func readBase(kept []byte) (*version, error) {
	if kept == nil {
		return nil, nil
	}
	b := blockReader{rest: kept}
	base := version{id: b.number(), size: b.number(), kb: b.number(), sha256: inode.DigestOf(b.text())}
	return &base, b.err
}
