package state

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"

	"paperfs/remote/durable"
)

// database is the file name of an account's database.
const database = "state.db"

// Database returns the path of the database in an account's directory.
func Database(dir string) string { return filepath.Join(dir, database) }

func openDatabase(path string) (*sql.DB, *connector, error) {
	options := url.Values{
		"_txlock": {"immediate"},
		"vfs":     {durable.VFS()},
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"},
	}
	db, source, err := openSource(path, "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+options.Encode())
	if err != nil {
		return nil, nil, err
	}
	// SQLite has one writer. More connections would only wait for each other's locks, with
	// pauses far longer than the transactions.
	db.SetMaxOpenConns(1)
	db.SetConnMaxLifetime(0)
	if err := durable.Migrate(context.Background(), db, path, migrations()); err != nil {
		db.Close()
		return nil, nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		db.Close()
		return nil, nil, err
	}
	return db, source, nil
}
