package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Another program may remove or replace the account's directory, or a part of it, while a mount uses it, and its disk may
// fail. The mount does not heal that: from the first commit or close that finds it, nothing is changed any more.

// part is the directory or a file or directory in it, as the mount opened it.
type part struct {
	name string // below the directory, "" for itself
	// file is a descriptor of it that opens nothing: no other file gets its inode number, and SQLite keeps its locks.
	file *os.File
	was  unix.Stat_t
}

// LostError means that the state of a mount is not, or not all, where the mount put it, or that its disk failed.
type LostError struct{ Why string }

func (e *LostError) Error() string {
	return e.Why + ": nothing is changed or sent any more; unmount and mount again"
}

// hold keeps parts of the directory to compare them later.
func (s *State) hold(names ...string) error {
	for _, name := range names {
		path := filepath.Join(s.dirs.State, name)
		fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return &os.PathError{Op: "open", Path: path, Err: err}
		}
		p := part{name: name, file: os.NewFile(uintptr(fd), path)}
		if err := unix.Fstat(fd, &p.was); err != nil {
			return &os.PathError{Op: "stat", Path: path, Err: err}
		}
		s.mu.Lock()
		s.parts = append(s.parts, p)
		s.mu.Unlock()
	}
	return nil
}

// release undoes hold.
func (s *State) release(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts = slices.DeleteFunc(s.parts, func(p part) bool {
		is := slices.Contains(names, p.name)
		if is {
			_ = p.file.Close() // nothing was read or written
		}
		return is
	})
}

// own reports whether a part is where it was, and a database as long at least: SQLite never shrinks it in this configuration. A
// file of the same length that overwrites it is not noticed.
func (p *part) own() bool {
	size, there := p.there()
	return there && (p.name != database || size >= p.was.Size)
}

// there reports whether a part is where it was, and its length.
func (p *part) there() (size int64, there bool) {
	var now unix.Stat_t
	if err := unix.Stat(p.file.Name(), &now); err == unix.ENOENT || err == unix.ENOTDIR {
		return 0, false
	} else if err != nil {
		return p.was.Size, true // that says nothing about what is there
	}
	return now.Size, now.Dev == p.was.Dev && now.Ino == p.was.Ino
}

// Whole fails with a *LostError if a part of the state is not there any more, or not its own, now or when this was last
// asked.
func (s *State) Whole() error {
	if err := s.Lost(); err != nil {
		return err
	}
	if path := s.missing(); path != "" {
		return s.Lose(path)
	}
	return nil
}

// missing returns the path of a part that is not where it was. What is removed from the directory or put into it changes the time
// of the directory; while that is as it was, and older than the clock's steps, only the database is looked at, which can shrink.
func (s *State) missing() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var now unix.Stat_t
	err := unix.Stat(s.dirs.State, &now)
	unchanged := err == nil && len(s.parts) > 0 && now.Ctim == s.looked && now.Ino == s.parts[0].was.Ino && now.Dev == s.parts[0].was.Dev
	for i := range s.parts {
		if p := &s.parts[i]; !(unchanged && p.name != database) && !p.own() {
			return p.file.Name()
		}
	}
	if err == nil && time.Since(time.Unix(now.Ctim.Unix())) > time.Second {
		s.looked = now.Ctim
	}
	return ""
}

// Lost is Whole without a look.
func (s *State) Lost() error {
	if err := s.lost.Load(); err != nil {
		return err
	}
	return nil
}

// Lose records that a file of the state is not there any more, and returns the error of Whole.
func (s *State) Lose(path string) error {
	return s.lose("the mount's state directory, or a part of it, was removed or replaced (" + path + ")")
}

func (s *State) lose(why string) error {
	if e := (&LostError{why}); s.lost.CompareAndSwap(nil, e) {
		if tell := s.tell.Load(); tell != nil {
			go (*tell)(e) // the caller may hold locks
		}
	}
	return s.Lost()
}

// Tell has a function called once, if the state is lost.
func (s *State) Tell(tell func(error)) { s.tell.Store(&tell) }

// Judge returns the error of a change, or of its sync, as a *LostError if the disk failed, which no further attempt changes.
func (s *State) Judge(err error) error {
	e, is := errors.AsType[*sqlite.Error](err)
	if is && e.Code()&0xff == sqlite3.SQLITE_IOERR && s.Writable() == nil && !s.overQuota() || errors.Is(err, unix.EIO) {
		return s.lose(fmt.Sprintf("the disk with %s failed (%v)", s.dirs.State, err))
	}
	return err
}

// overQuota reports whether the user may have no more of the disk. SQLite's error does not tell that from a disk that failed.
func (s *State) overQuota() bool {
	f, err := os.CreateTemp(s.dirs.State, "quota-")
	if err == nil {
		err = unix.Fallocate(int(f.Fd()), 0, 0, 1<<20)
		_ = errors.Join(f.Close(), os.Remove(f.Name())) // it is empty
	}
	return errors.Is(err, unix.EDQUOT)
}

// has reports whether parts are where they were.
func (s *State) has(names ...string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !slices.ContainsFunc(s.parts, func(p part) bool {
		_, there := p.there()
		return slices.Contains(names, p.name) && !there
	})
}
