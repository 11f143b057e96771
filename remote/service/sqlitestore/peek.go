package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"

	"paperfs/remote/service/store"
)

// Peek looks into a database without changing it. It reports whether a service
// was set up in it, and gives the value of a secret, nil for none. A file that
// is missing or empty is no error.
func Peek(ctx context.Context, file, secret string) (setUp bool, value []byte, err error) {
	if there, err := isThere(file); !there {
		return false, nil, err
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(300000)")
	if err != nil {
		return false, nil, err
	}
	defer db.Close()
	setUp, value, err = peek(ctx, db, secret)
	if err != nil {
		err = fmt.Errorf("read %s: %w", file, err)
	}
	return setUp, value, err
}

// isThere is false for a file that is missing or empty.
func isThere(file string) (bool, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Size() > 0, err
}

func peek(ctx context.Context, db *sql.DB, secret string) (setUp bool, value []byte, err error) {
	tables := 0
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('goose_db_version', 'tenant', 'media_file')`).Scan(&tables)
	if err != nil || tables < 3 {
		return false, nil, err
	}
	if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM tenant)`).Scan(&setUp); err != nil {
		return false, nil, err
	}
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'secret'`).Scan(&tables)
	if err != nil || tables == 0 { // an older version has none
		return setUp, nil, err
	}
	err = translate(db.QueryRowContext(ctx, `SELECT value FROM secret WHERE name = ?`, secret).Scan(&value))
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return setUp, value, err
}
