package state

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"paperfs/remote/durable"
)

// Another program may remove the database while a mount has it open, replace it by another
// file, or empty it. The data then exists only in a file without a name, which disappears
// with the mount, or in memory. So the mount checks the name regularly and writes the
// database back, after the lock, which keeps other mounts away, and the directories. It sets aside a file that it finds there and never removes one.

// checkInterval is the interval of these checks.
const checkInterval = 5 * time.Second

// Watch checks the database's file until Close, and calls tell if the file was lost, with
// the outcome of writing it back. Call it at most once.
func (s *State) Watch(tell func(error)) {
	s.watched = make(chan struct{})
	s.unwatch = make(chan struct{})
	go func() {
		defer close(s.watched)
		said := ""
		for {
			select {
			case <-s.unwatch:
				return
			case <-time.After(checkInterval):
			}
			switch err := s.WriteBack(); {
			case err == nil:
				said = ""
			case err.Error() != said:
				said = err.Error()
				tell(err)
			}
		}
	}()
}

// LostError means that a mount's database, or its lock, was not where the mount put it.
type LostError struct {
	File  string
	Fate  string // what happened to it, to continue "was"
	Aside string // where the file found in its place is now; "" if there was none
	Err   error  // why it could not be written back; nil if it was
}

func (e *LostError) Error() string {
	text := fmt.Sprintf("%s was %s while in use", e.File, e.Fate)
	if _, ok := errors.AsType[*DamagedError](e.Err); ok {
		return fmt.Sprintf("%s, and cannot be written back. Unmount first. %v", text, e.Err)
	}
	if e.Err != nil {
		text += fmt.Sprintf(", and cannot be written back: %v", e.Err)
	} else {
		text += "; it was written back"
	}
	if e.Aside != "" {
		text += ", and the file found in its place is now " + e.Aside
	}
	return text
}

func (e *LostError) Unwrap() error { return e.Err }

// Fates of a database's file.
const (
	removed  = "removed"
	replaced = "replaced by another file"
	emptied  = "emptied or cut short"
)

// fate returns what happened to the database's file, "" for nothing. SQLite never shrinks
// the file in this configuration. fate does not notice a file of the same length that
// overwrites this one.
func (s *State) fate() string {
	found, err := os.Lstat(s.path())
	switch opened := s.source.opened(); {
	case errors.Is(err, fs.ErrNotExist):
		return removed
	case err != nil || opened == nil:
	case !os.SameFile(found, opened):
		return replaced
	case found.Size() < opened.Size():
		return emptied
	}
	return ""
}

// WriteBack writes the account's lock and database back if their files are not the open ones,
// and then returns a *LostError.
func (s *State) WriteBack() error {
	again, err := s.retakeLock()
	if fate := s.fate(); fate != "" && err == nil {
		aside, err := s.writeBack()
		return &LostError{s.path(), fate, aside, Damage(s.dirs.State, err)}
	}
	if again || err != nil {
		return &LostError{File: filepath.Join(s.dirs.State, lockName), Fate: removed, Err: err}
	}
	return nil
}

func (s *State) writeBack() (aside string, err error) {
	ctx := context.Background()
	c, err := s.db.Conn(ctx) // the only connection: nobody else has one until it is closed
	if err != nil {
		return "", err
	}
	defer c.Close()
	if s.fate() == "" {
		return "", nil // this connection is new, and takeBack has restored the file
	}
	draft := s.path() + back + ".tmp"
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := durable.CopyDatabase(ctx, c, draft); err != nil {
		return "", err
	}
	if err := durable.Rename(draft, s.path()+back); err != nil {
		return "", err
	}
	if aside, err = setAside(s.path(), s.path()+".found"); err != nil {
		return "", err
	}
	if aside != "" && s.source.othersLog() { // it came with the found file; takeBack removes our own
		if err := move(s.path()+"-wal", aside+"-wal"); err != nil {
			return aside, err
		}
	}
	_ = c.Raw(func(any) error { return driver.ErrBadConn }) // closes the lost file
	return aside, s.db.PingContext(ctx)
}
