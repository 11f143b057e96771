package state

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"os"

	"github.com/pressly/goose/v3"
)

//go:embed migration/*.sql
var migrationFiles embed.FS

func migrations() fs.FS {
	sub, err := fs.Sub(migrationFiles, "migration")
	if err != nil {
		panic(err) // a constant, valid path
	}
	return sub
}

// SchemaError says that a database was written by a newer paperfs.
type SchemaError struct {
	Path         string
	Have, Newest int64 // its schema version, the newest one known here
}

func (e *SchemaError) Error() string {
	return fmt.Sprintf("%s has schema version %d, and this paperfs knows versions up to %d: use the newer paperfs that wrote it",
		e.Path, e.Have, e.Newest)
}

// migrate brings the database at path to the newest schema in files. One that
// holds an older schema is first copied to "path.before-VERSION", VERSION
// being the schema of the copy.
func migrate(ctx context.Context, db *sql.DB, path string, files fs.FS) error {
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files,
		goose.WithAllowOutofOrder(true), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	sources := provider.ListSources()
	newest := sources[len(sources)-1].Version
	have, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("reading the schema version of %s: %w", path, err)
	}
	if have > newest {
		return &SchemaError{Path: path, Have: have, Newest: newest}
	}
	pending, err := provider.HasPending(ctx)
	if err != nil || !pending {
		return err
	}
	if have > 0 {
		if err := backup(ctx, db, fmt.Sprintf("%s.before-%d", path, have)); err != nil {
			return fmt.Errorf("copying %s before its schema is brought up to date: %w", path, err)
		}
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bringing the schema of %s up to date: %w", path, err)
	}
	return nil
}

// backup writes a consistent copy of the database to target, replacing a copy
// of the same schema version that an earlier try left.
func backup(ctx context.Context, db *sql.DB, target string) error {
	temporary := target + ".tmp"
	if err := os.Remove(temporary); err != nil && !os.IsNotExist(err) {
		return err
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", temporary); err != nil {
		return err
	}
	f, err := os.OpenFile(temporary, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Chmod(0o600); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(temporary, target)
}
