package catalogue

import (
	"errors"
	"io/fs"
	"time"

	"paperfs/cache/snapshot"
	"paperfs/remote"
)

// savePause is the least time between two saves.
const savePause = 5 * time.Second

// edition identifies a snapshot without keeping it in memory.
type edition struct {
	version   uint64
	fetched   time.Time
	validator remote.Validator
}

func (s *Snapshot) edition() edition {
	if s == nil {
		return edition{}
	}
	return edition{s.version, s.fetched, s.validator}
}

func (c *Catalogue) origin() origin { return origin{rootURL: c.o.RootURL, rootID: c.o.RootID} }

func (c *Catalogue) loadSaved() {
	if c.o.Saved == "" {
		return
	}
	s, err := load(c.o.Saved, c.origin())
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil && c.rootID != 0 && s.Root().ID != c.rootID {
		err = errors.New("its root is another category")
	}
	if err != nil {
		c.o.Log.Warn("the saved catalogue is ignored", "file", c.o.Saved, "reason", err)
		return
	}
	c.rootID = s.Root().ID
	c.snap.Store(s)
	c.work.Go(func() { releaseMemory(s) })
	// The saved tree lacks later changes by others and, after a crash, our own last ones.
	c.fetches.stale = true
}

// saveLoop writes the tree to its file whenever it has changed. On Close it also records
// a fetch that brought the same tree: its time and its validator.
func (c *Catalogue) saveLoop(last edition) {
	snapshot.Keep(c.ctx, c.dirty, savePause, func(end bool) bool {
		if !end && c.snap.Load().version == last.version {
			return false
		}
		last = c.saveAfter(last)
		return true
	})
}

// saveAfter saves the current snapshot unless its edition is last, and returns the edition
// that the file now holds. If only the time of the fetch differs, it only sets the file's
// time.
func (c *Catalogue) saveAfter(last edition) edition {
	s := c.snap.Load()
	now := s.edition()
	if c.o.Saved == "" || now == last {
		return last
	}
	same := edition{now.version, last.fetched, now.validator} == last
	if same && touch(c.o.Saved, now.fetched) == nil {
		return now
	}
	if err := save(c.o.Saved, c.origin(), s); err != nil {
		c.o.Log.Warn("the catalogue cannot be saved", "file", c.o.Saved, "error", err)
		return last
	}
	return now
}
