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

// temps are those that have a name, and the directories that are made for them.
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

// named are those that have a name now.
func (ts *temps) named() map[names.Entry]*temp {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return maps.Clone(ts.files)
}

// put gives a name to t, nil for nobody. It returns the one that had it.
func (ts *temps) put(e names.Entry, t *temp) (had *temp) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	had = ts.files[e]
	if ts.files == nil {
		ts.files = map[names.Entry]*temp{}
	}
	if ts.files[e] = t; t == nil {
		delete(ts.files, e)
	}
	ts.touchLocked(e.Dir)
	return had
}

// drop takes the name from t, unless another file has it by now.
func (ts *temps) drop(e names.Entry, t *temp) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.files[e] == t {
		delete(ts.files, e)
		ts.touchLocked(e.Dir)
	}
}

// addDir, dir and removeDir are put and get for directories; one with files in it
// is not removed.
func (ts *temps) addDir(d *tempDir) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.dirs == nil {
		ts.dirs = map[names.Entry]*tempDir{}
	}
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

// touch is called with ts.mu held after a change in a directory.
func (ts *temps) touchLocked(dir int64) {
	if d := ts.byNumberLocked(dir); d != nil {
		d.mtime = time.Now()
	}
}

// byNumber is the tempDir of a number, nil for none.
func (ts *temps) byNumber(dir int64) *tempDir {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.byNumberLocked(dir)
}

// numbered is byNumber with ts.mu held.
func (ts *temps) byNumberLocked(dir int64) *tempDir {
	for _, d := range ts.dirs {
		if d.node == dir {
			return d
		}
	}
	return nil
}
