package failed

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"slices"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/spool"
)

// Load reads the entries. Of two entries with one place, both with content, the newer one
// counts.
func (f *Store) Load() error {
	f.byPlace, f.byName, f.loading = make(map[place]*Entry), make(map[string]*Entry), true
	rows, err := f.DB.Query("SELECT id, path, suffix, size, mode, mtime, reason, since, base, paper, dir, unfinished, overtaken, spool FROM media_failed ORDER BY id")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var e Entry
		var mtime, since int64
		var base []byte
		if err := rows.Scan(&e.ID, &e.Path, &e.Suffix, &e.Size, &e.Mode, &mtime, &e.Reason, &since, &base, &e.Paper, &e.Dir, &e.Unfinished, &e.Overtaken, &e.Spool); err != nil {
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
		if older := f.byPlace[f.at(&e)]; older != nil {
			f.over = append(f.over, older)
		}
		f.byPlace[f.at(&e)] = &e
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, e := range slices.SortedFunc(maps.Values(f.byPlace), func(a, b *Entry) int { return cmp.Compare(a.ID, b.ID) }) {
		f.Room.Add(e.Size)
		f.enterLocked(e)
	}
	return nil
}

// Has reports whether a spool was moved to failed/ in an earlier run, even if its entry is to
// be erased.
func (f *Store) Has(name string) bool {
	return f.hasOne(func(e *Entry) bool { return e.Spool == name })
}

// Serial returns the greatest serial of a spool that was moved to failed/ in an earlier run.
func (f *Store) Serial() (last uint64) {
	f.hasOne(func(e *Entry) bool {
		if serial, is := spool.Parse(e.Spool); is {
			last = max(last, serial)
		}
		return false
	})
	return last
}

func (f *Store) hasOne(is func(*Entry) bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.over, is) || slices.ContainsFunc(slices.Collect(maps.Values(f.byName)), is)
}

// Forget erases the entries that are to be erased.
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
