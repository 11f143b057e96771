package state

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"

	"paperfs/remote/durable"
)

// The file names of an account's database, and of its write-ahead log.
const (
	database = "state.db"
	log      = database + "-wal"
)

// Database returns the path of the database in an account's directory.
func Database(dir string) string { return filepath.Join(dir, database) }

func (s *State) openDatabase() (*sql.DB, error) {
	path := s.path()
	options := url.Values{
		"_txlock": {"immediate"},
		"vfs":     {durable.VFS()},
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"},
	}
	db, err := s.openSource("file:" + (&url.URL{Path: path}).EscapedPath() + "?" + options.Encode())
	if err != nil {
		return nil, err
	}
	// SQLite has one writer. More connections would only wait for each other's locks, with
	// pauses far longer than the transactions.
	db.SetMaxOpenConns(1)
	db.SetConnMaxLifetime(0)
	if err := durable.Migrate(context.Background(), db, path, migrations()); err != nil {
		db.Close()
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}
