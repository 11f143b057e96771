package papers

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
)

// temps are the temps that have a name, and the tempDirs.
type temps struct {
	mu    sync.Mutex
	files map[names.Entry]*temp    // guarded by mu
	dirs  map[names.Entry]*tempDir // guarded by mu
}

func (ts *temps) get(e names.Entry) *temp {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.files[e]
}

// named returns the temps by name.
func (ts *temps) named() map[names.Entry]*temp {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return maps.Clone(ts.files)
}

// put gives a name to t; nil removes the name. It returns the temp that had the name.
func (ts *temps) put(e names.Entry, t *temp) (had *temp) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	had = ts.files[e]
	if ts.files[e] = t; t == nil {
		delete(ts.files, e)
	}
	ts.touchLocked(e.Dir)
	return had
}

// drop removes the name from t, unless another file has it now.
func (ts *temps) drop(e names.Entry, t *temp) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.files[e] == t {
		delete(ts.files, e)
		ts.touchLocked(e.Dir)
	}
}

// addDir, dir and removeDir are put and get for directories; removeDir fails for a
// directory that contains files.
func (ts *temps) addDir(d *tempDir) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.dirs[d.at] = d
}

func (ts *temps) dir(e names.Entry) *tempDir {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.dirs[e]
}

func (ts *temps) removeDir(d *tempDir) bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for e := range ts.files {
		if e.Dir == d.node {
			return false
		}
	}
	delete(ts.dirs, d.at)
	return true
}

// in lists the files in a directory.
func (ts *temps) in(dir int64) (list []virtual.Entry) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for e, t := range ts.files {
		if e.Dir == dir {
			list = append(list, virtual.Entry{Name: e.Name, Mode: syscall.S_IFREG, Ino: t.StableAttr().Ino})
		}
	}
	slices.SortFunc(list, func(a, b virtual.Entry) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// touchLocked sets the time of a changed directory. The caller holds ts.mu.
func (ts *temps) touchLocked(dir int64) {
	if d := ts.byNumberLocked(dir); d != nil {
		d.mtime = time.Now()
	}
}

// byNumber returns the tempDir with this number, or nil.
func (ts *temps) byNumber(dir int64) *tempDir {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.byNumberLocked(dir)
}

// byNumberLocked is byNumber for a caller that holds ts.mu.
func (ts *temps) byNumberLocked(dir int64) *tempDir {
	for _, d := range ts.dirs {
		if d.node == dir {
			return d
		}
	}
	return nil
}
