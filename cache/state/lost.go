package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"paperfs/remote/durable"
	"paperfs/remote/schema"
)

// Somebody may remove the database while a mount has it open. What the mount knows is then
// in a file without a name, which ends with the mount. So the mount looks for the name now and
// then, and writes the database back.

// lookEvery is how often the file is looked for.
const lookEvery = 5 * time.Second

// back is what a database is called that is written back, until nothing of the lost one is
// open any more.
const back = ".back"

// Watch looks for the database's file until Close, and has tell say that it was lost, and
// whether it could be written back. It is called once at most.
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
			case <-time.After(lookEvery):
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

// LostError says that the database's file was removed while a mount had it.
type LostError struct {
	File string
	Err  error // why it could not be written back; nil where it was
}

func (e *LostError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s was removed while it is in use; it was written back", e.File)
	}
	return fmt.Sprintf("%s was removed while it is in use, and cannot be written back: %v", e.File, e.Err)
}

func (e *LostError) Unwrap() error { return e.Err }

// WriteBack writes the database back where its file is missing, which it tells by a *LostError.
func (s *State) WriteBack() error {
	if _, err := os.Lstat(s.path()); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Lstat(filepath.Dir(s.path())); err != nil {
		return &LostError{s.dirs.State, err}
	}
	return &LostError{s.path(), s.writeBack()}
}

func (s *State) writeBack() error {
	ctx := context.Background()
	c, err := s.db.Conn(ctx) // nobody else has one meanwhile
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := os.Lstat(s.path()); !errors.Is(err, fs.ErrNotExist) {
		return nil // this connection is a new one, and took back what was written before
	}
	draft := s.path() + back + ".tmp"
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := schema.Copy(ctx, c, draft); err != nil {
		return err
	}
	if err := durable.Rename(draft, s.path()+back); err != nil {
		return err
	}
	_ = c.Raw(func(any) error { return driver.ErrBadConn }) // which closes the lost file
	return s.db.PingContext(ctx)
}

// takeBack gives a database that was written back its name. The log beside that is the lost one's.
// If somebody else has put one there, the copy is not needed, and would be old later.
func takeBack(path string) error {
	if _, err := os.Lstat(path); err == nil {
		_ = os.Remove(path + back)
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Lstat(path + back); err != nil {
		return nil
	}
	for _, beside := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + beside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return durable.Rename(path+back, path)
}

// connector opens a database after takeBack.
type connector struct {
	driver driver.Driver
	name   string // of the source
	path   string
}

func (c *connector) Connect(context.Context) (driver.Conn, error) {
	if err := takeBack(c.path); err != nil {
		return nil, err
	}
	return c.driver.Open(c.name)
}

func (c *connector) Driver() driver.Driver { return c.driver }

// openSource is sql.Open, with takeBack before each connection.
func openSource(path, name string) (*sql.DB, error) {
	plain, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	return sql.OpenDB(&connector{plain.Driver(), name, path}), nil
}
