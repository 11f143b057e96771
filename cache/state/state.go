package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"paperfs/remote/dirlock"
	"paperfs/remote/durable"
	"paperfs/remote/schema"
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

// Open makes the account's directories (mode 0700), takes their lock for the
// mount at mountpoint and opens the database, brought to the current schema.
//
// Errors: *HeldError when another mount has the account, *schema.NewerError when
// a newer paperfs wrote the database.
func Open(d Dirs, mountpoint string) (*State, error) {
	for _, dir := range []string{d.State, d.Cache} {
		if err := durable.MakeDir(dir); err != nil {
			return nil, err
		}
		if err := os.Chmod(dir, 0o700); err != nil {
			return nil, err
		}
	}
	lock, err := takeLock(filepath.Join(d.State, lockName), mountpoint)
	if err != nil {
		return nil, err
	}
	s := &State{dirs: d, mountpoint: mountpoint, lock: lock}
	if s.db, s.source, err = openDatabase(s.path()); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return s, nil
}

func (s *State) path() string { return Database(s.dirs.State) }

func openDatabase(path string) (*sql.DB, *connector, error) {
	options := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"},
	}
	db, source, err := openSource(path, "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+options.Encode())
	if err != nil {
		return nil, nil, err
	}
	// SQLite has one writer; several connections would only wait for each
	// other's locks, with pauses far longer than the transactions.
	db.SetMaxOpenConns(1)
	db.SetConnMaxLifetime(0)
	if err := schema.Migrate(context.Background(), db, path, migrations()); err != nil {
		db.Close()
		return nil, nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		db.Close()
		return nil, nil, err
	}
	return db, source, nil
}

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

// Close closes the database and frees the account for another mount.
func (s *State) Close() error {
	if s.unwatch != nil {
		close(s.unwatch)
		<-s.watched
	}
	s.finish()
	if lost, ok := errors.AsType[*LostError](s.WriteBack()); ok && lost.Err != nil {
		return errors.Join(lost, s.db.Close(), s.lock.Release())
	}
	return errors.Join(s.db.Close(), s.lock.Release())
}

// finish closes what is prepared.
func (s *State) finish() {
	c, err := s.db.Conn(context.Background())
	if err != nil {
		return
	}
	defer c.Close()
	_ = c.Raw(func(any) error { s.prepared.close(); return nil })
}
