package state

import (
	"context"
	"database/sql"
	"path/filepath"

	"paperfs/remote/dirlock"
	"paperfs/remote/schema"
)

// database is the name of an account's database in its directory.
const database = "state.db"

// Unheld are the directories of the accounts below stateHome that no mount has.
func Unheld(stateHome string) (dirs []string) {
	found, _ := filepath.Glob(filepath.Join(stateHome, "paperfs", "*", database))
	for _, path := range found {
		if dir := filepath.Dir(path); !dirlock.Held(filepath.Join(dir, lockName)) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Database is the file of the database in an account's directory.
func Database(dir string) string { return filepath.Join(dir, database) }

// CheckSchema refuses a database that a newer paperfs wrote. current is false for an
// older schema, which the next mount brings up to date.
func CheckSchema(ctx context.Context, db *sql.DB, dir string) (current bool, err error) {
	newest, err := schema.Newest(migrations())
	if err != nil {
		return false, err
	}
	var have int64
	if err := db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version").Scan(&have); err != nil {
		return false, err
	}
	if have > newest {
		return false, &schema.NewerError{File: Database(dir), Have: have, Newest: newest}
	}
	return have == newest, nil
}
