package sqlitestore

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"os"

	"github.com/pressly/goose/v3"

	"paperfs/remote/service/store"
)

//go:embed migration/*.sql
var migrations embed.FS

func provider(db *sql.DB) (*goose.Provider, error) {
	dir, err := fs.Sub(migrations, "migration")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db, dir)
}

// migrate brings the schema up to date. Records that exist are copied first,
// into a file beside the database that names the version it holds.
func migrate(ctx context.Context, db *sql.DB, file string) error {
	p, err := provider(db)
	if err != nil {
		return err
	}
	have, want, err := p.GetVersions(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("read the schema version of %s: %w", file, err)
	case have == want:
		return nil
	case have > want:
		return newerError(file, have, want)
	case have > 0:
		if err := backup(ctx, db, fmt.Sprintf("%s.v%d", file, have)); err != nil {
			return fmt.Errorf("copy %s before bringing it up to date: %w", file, err)
		}
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("bring %s up to date: %w", file, err)
	}
	return nil
}

// backup replaces an earlier copy: that one is of an update that did not end.
func backup(ctx context.Context, db *sql.DB, to string) error {
	if err := os.Remove(to); err != nil && !os.IsNotExist(err) {
		return err
	}
	return copyTo(ctx, db, to)
}

// copyTo writes a copy of a database to a file, which must not be there. The
// copy is as private as the database: SQLite alone would let all users read it.
func copyTo(ctx context.Context, db *sql.DB, to string) error {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
	return err
}

// checkVersion refuses a database of another version than this program's, where
// it may not be brought up to date.
func checkVersion(file string, have int64) error {
	want, err := newest()
	switch {
	case err != nil:
		return err
	case have > want:
		return newerError(file, have, want)
	case have < want:
		return fmt.Errorf("%s has schema version %d and this paperfs works with %d: start the service once with this paperfs, it brings the data up to date", file, have, want)
	}
	return nil
}

// newest is the version that the migrations lead to.
func newest() (int64, error) {
	files, err := migrations.ReadDir("migration") // by name
	if err != nil {
		return 0, err
	}
	return goose.NumericComponent(files[len(files)-1].Name())
}

func newerError(file string, have, want int64) error {
	return &store.NewerError{File: file, Have: have, Newest: want}
}
