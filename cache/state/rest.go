package state

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"regexp"

	"paperfs/remote/dirlock"
	"paperfs/remote/schema"
)

// database is the name of an account's database in its directory.
const database = "state.db"

// account is what AccountDirs calls a directory: one that was set aside has another name.
var account = regexp.MustCompile(`-[0-9a-f]{16}$`)

// Unheld are the directories of the accounts below stateHome that no mount has.
func Unheld(stateHome string) (dirs []string) {
	found, _ := filepath.Glob(filepath.Join(stateHome, "paperfs", "*"))
	for _, dir := range found {
		info, err := os.Lstat(dir)
		if err == nil && info.IsDir() && account.MatchString(dir) && !dirlock.Held(filepath.Join(dir, lockName)) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Emptied reports whether an account has no database, or an empty one, and how many files wait
// there for the service.
func Emptied(dir string) (emptied bool, waiting int) {
	if info, err := os.Stat(Database(dir)); err == nil && info.Size() > 0 {
		return false, 0
	}
	for _, part := range []string{"spool", "failed"} {
		files, _ := os.ReadDir(filepath.Join(dir, part))
		waiting += len(files)
	}
	return true, waiting
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
