package state

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"paperfs/remote/durable"
)

// State is the open state of one account. Its methods may be called concurrently.
type State struct {
	dirs       Dirs
	mountpoint string
	lock       *durable.Lock
	db         *sql.DB
	lost       atomic.Pointer[LostError]
	tell       atomic.Pointer[func(error)] // set by Tell

	logMu sync.Mutex // held during a sync
	log   *os.File   // guarded by logMu: the write-ahead log, or nil

	mu     sync.Mutex
	undir  error         // guarded by mu: error of the last directory that could not be created
	parts  []part        // guarded by mu: what Whole compares; the first is the directory
	looked unix.Timespec // guarded by mu: the directory's time when all parts were found
}

func (s *State) path() string { return Database(s.dirs.State) }

// DB returns the account's database: WAL, synchronous=FULL, transactions begin immediate.
// It has one connection, so a goroutine must close its rows and end its transaction before
// it uses the database again.
func (s *State) DB() *sql.DB { return s.db }

// Dir returns the directory with the given name for data that exists nowhere else, created
// with mode 0700 if missing. If that fails, the first use of the directory and the next
// Sync return an error.
func (s *State) Dir(name string) string {
	dir := filepath.Join(s.dirs.State, name)
	err := durable.MakeDir(dir)
	s.release(name)
	if err == nil {
		err = s.hold(name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.undir = cmp.Or(err, s.undir)
	return dir
}

// CacheDir is Dir for data that can be fetched again.
func (s *State) CacheDir(name string) string {
	dir := filepath.Join(s.dirs.Cache, name)
	_ = os.MkdirAll(dir, 0o700)
	return dir
}

// Value returns the value last set for key; false if there is none.
func (s *State) Value(key string) (string, bool, error) {
	var value string
	err := s.db.QueryRow("SELECT value FROM value WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("reading %q from the state: %w", key, err)
	}
	return value, true, nil
}

// SetValue stores value for key; it is durable when SetValue returns.
func (s *State) SetValue(key, value string) error {
	_, err := s.db.Exec("INSERT INTO value (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
		key, value)
	if err != nil {
		return fmt.Errorf("storing %q in the state: %w", key, err)
	}
	return nil
}

// NoteConnection stores the name of the mount's kernel connection, in one line, next to
// the lock, for a process that has to abort the connection on behalf of the mount.
func (s *State) NoteConnection(name string) error {
	return s.lock.SetHolder(Holder{PID: os.Getpid(), Mountpoint: s.mountpoint, Connection: name}.text())
}
