package state

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"paperfs/remote/dirlock"
	"paperfs/remote/durable"
)

// State is the open state of one account. Its methods may be called at the
// same time.
type State struct {
	dirs       Dirs
	mountpoint string
	lock       *dirlock.Lock
	db         *sql.DB
	prepared   prepared   // on the connection of db
	source     *connector // of db

	unwatch, watched chan struct{} // of Watch, nil without one

	mu    sync.Mutex
	undir error // guarded by mu: how the making of a directory failed
}

func (s *State) path() string { return Database(s.dirs.State) }

// DB is the account's database: WAL, synchronous=FULL, transactions begin
// immediate. It has one connection, so rows must be closed, and a transaction
// ended, before the same goroutine asks for anything else.
func (s *State) DB() *sql.DB { return s.db }

// Dir is the directory called name among what would be lost for good, made
// with mode 0700 when missing. A failure to make it shows at its first use, and
// at the next Sync.
func (s *State) Dir(name string) string {
	dir := filepath.Join(s.dirs.State, name)
	if err := durable.MakeDir(dir); err != nil {
		s.mu.Lock()
		s.undir = err
		s.mu.Unlock()
	}
	return dir
}

// CacheDir is Dir for what can be fetched again.
func (s *State) CacheDir(name string) string {
	dir := filepath.Join(s.dirs.Cache, name)
	_ = os.MkdirAll(dir, 0o700)
	return dir
}

// Value is what was last set for key; false where nothing was.
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

// SetValue keeps value for key; it is durable when SetValue returns.
func (s *State) SetValue(key, value string) error {
	_, err := s.db.Exec("INSERT INTO value (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
		key, value)
	if err != nil {
		return fmt.Errorf("keeping %q in the state: %w", key, err)
	}
	return nil
}

// NoteConnection keeps beside the lock what names the kernel's connection of the
// mount, in one line, for the process that has to end it in the mount's place.
func (s *State) NoteConnection(name string) error {
	return s.lock.SetHolder(Holder{PID: os.Getpid(), Mountpoint: s.mountpoint, Connection: name}.text())
}
