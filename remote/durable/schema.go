package durable

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pressly/goose/v3"
)

// NewerError is the refusal of a database that a newer paperfs wrote.
type NewerError struct {
	File         string
	Have, Newest int64 // schema versions: of the file, and the newest one known here
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s was written by a newer paperfs (schema version %d, this one knows up to %d): use that paperfs", e.File, e.Have, e.Newest)
}

// LastBefore is the last commit before version 1.0.0: the program built from it brings the data of any program before up to the first
// schema that is known here.
const LastBefore = "248d2e3e"

// OlderError is the refusal of a database that a paperfs before 1.0.0 wrote, and [LastBefore] has not taken over.
type OlderError struct {
	Place string // the file, or "the database"
	Have  int64  // its schema version
}

func (e *OlderError) Error() string {
	return fmt.Sprintf("%s is of a paperfs before 1.0.0 (schema version %d). Use it once with a paperfs that is built from the commit %s (git checkout %[3]s; go build ./cmd/paperfs), which brings it up to date, and then with this one (paperfs help upgrade)", e.Place, e.Have, LastBefore)
}

// Migrate migrates the database in a file to the newest schema. It first copies a database
// with an older schema to "FILE.before-VERSION", where VERSION is the schema of the copy.
func Migrate(ctx context.Context, db *sql.DB, file string, migrations fs.FS) error {
	all, err := steps(migrations)
	if err != nil || current(ctx, db, all) {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, nil,
		goose.WithGoMigrations(all...), goose.WithAllowOutofOrder(true), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	have, newest, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("reading the schema version of %s: %w", file, err)
	}
	if have > newest {
		return &NewerError{File: file, Have: have, Newest: newest}
	}
	if have > 0 && have < all[0].Version {
		return &OlderError{Place: file, Have: have}
	}
	pending, err := provider.HasPending(ctx)
	if err != nil || !pending {
		return err
	}
	if have > 0 {
		if err := keep(ctx, db, fmt.Sprintf("%s.before-%d", file, have)); err != nil {
			return fmt.Errorf("copying %s before the migration of its schema: %w", file, err)
		}
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrating the schema of %s: %w", file, err)
	}
	return nil
}

// current reports whether exactly these migrations were applied, after those that the first stands for. goose takes five times as
// long to say that.
func current(ctx context.Context, db *sql.DB, all []*goose.Migration) bool {
	var applied, known string
	for _, m := range all {
		known += fmt.Sprint(m.Version, " ")
	}
	return db.QueryRowContext(ctx, `SELECT group_concat(version_id || ' ', '' ORDER BY version_id) FROM goose_db_version WHERE version_id >= ?`,
		all[0].Version).Scan(&applied) == nil && applied == known
}

// keep copies a database durably. It replaces the copy of an earlier attempt.
func keep(ctx context.Context, db *sql.DB, to string) error {
	draft := to + ".tmp"
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := CopyDatabase(ctx, db, draft); err != nil {
		return err
	}
	return Rename(draft, to)
}

// CopyDatabase writes a consistent copy of a database to a file that must not exist. The copy is
// as private as the database: SQLite alone would let all users read it.
func CopyDatabase(ctx context.Context, db interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, to string) error {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
