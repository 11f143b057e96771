package postgresstore

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"paperfs/remote/durable"
	"paperfs/remote/service/store"
)

//go:embed migration/*.sql
var files embed.FS

// migrations returns the migrations, sorted by version.
func migrations() fs.FS {
	dir, err := fs.Sub(files, "migration")
	if err != nil {
		panic(err) // a constant, valid path
	}
	return dir
}

// migrating is the number of the advisory lock for changing the schema.
const migrating = 0x7061706572

// Migrate brings the schema of a database up to date. Concurrent calls run one after the other.
// It leaves a newer schema as it is, one of before the first migration, and a database that Open would reject for another
// reason.
func Migrate(ctx context.Context, url string) error {
	config, _, err := parse(url)
	if err != nil {
		return err
	}
	c, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx)) // which releases the lock
	if _, err := c.Exec(ctx, `SELECT pg_advisory_lock($1)`, migrating); err != nil {
		return err
	}
	if err := checkEmpty(ctx, c); err != nil {
		return err
	}
	if older, is := errors.AsType[*durable.OlderError](checkVersion(ctx, c)); is {
		return older
	}
	return migrate(ctx, config.ConnConfig)
}

// checkEmpty runs Open's checks on a database that may not have a schema yet.
func checkEmpty(ctx context.Context, c *pgx.Conn) error {
	if err := check(ctx, c); err != nil {
		return err
	}
	tx, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }() // leaves nothing behind
	if _, err := tx.Exec(ctx, `CREATE EXTENSION IF NOT EXISTS pg_trgm`); err != nil {
		return err
	}
	return checkSearch(ctx, c)
}

func migrate(ctx context.Context, config *pgx.ConnConfig) error {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 600))
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*config)
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations(),
		goose.WithAllowOutofOrder(true), goose.WithDisableGlobalRegistry(true), goose.WithSessionLocker(locker))
	if err == nil {
		_, err = provider.Up(ctx)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("bring the schema of the database up to date: %w", err)
	}
	return nil
}

// OlderError reports a database whose schema is older than this program needs.
type OlderError struct {
	Have, Want int64 // schema versions; 0: the database has none
}

func (e *OlderError) Error() string {
	if e.Have == 0 {
		return "the database has no records of paperfs yet"
	}
	return fmt.Sprintf("the database has schema version %d and this paperfs works with %d", e.Have, e.Want)
}

// checkVersion rejects an older schema. A newer one only adds to this one: during a rolling
// upgrade, nodes with the old and the new program use it together.
func checkVersion(ctx context.Context, c *pgx.Conn) error {
	first, want, err := store.Schemas(migrations())
	if err != nil {
		return err
	}
	var there bool
	if err := c.QueryRow(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL`).Scan(&there); err != nil || !there {
		return errors.Join(err, &OlderError{Want: want})
	}
	var have int64
	if err := c.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&have); err != nil {
		return err
	}
	switch {
	case 0 < have && have < first:
		return &durable.OlderError{Place: "the database", Have: have}
	case have < want:
		return &OlderError{Have: have, Want: want}
	}
	return nil
}
