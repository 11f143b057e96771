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

	"paperfs/remote/schema"
)

//go:embed migration/*.sql
var files embed.FS

// migrations are by version.
func migrations() fs.FS {
	dir, err := fs.Sub(files, "migration")
	if err != nil {
		panic(err) // a constant, valid path
	}
	return dir
}

// migrating is the number of the advisory lock of those who change the schema.
const migrating = 0x7061706572

// Migrate brings the schema of a database up to date. Where several processes do
// so at once, one goes before the other. A newer schema stays as it is, and so does a
// database that Open would refuse for another reason.
func Migrate(ctx context.Context, url string) error {
	config, _, err := parse(url)
	if err != nil {
		return err
	}
	c, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx)) // which ends the lock
	if _, err := c.Exec(ctx, `SELECT pg_advisory_lock($1)`, migrating); err != nil {
		return err
	}
	if err := checkEmpty(ctx, c); err != nil {
		return err
	}
	return migrate(ctx, config.ConnConfig)
}

// checkEmpty is Open's check for a database that may have no schema yet.
func checkEmpty(ctx context.Context, c *pgx.Conn) error {
	if err := check(ctx, c); err != nil {
		return err
	}
	tx, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }() // nothing of it stays
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

// OlderError is the failure to open a database whose schema is not up to date.
type OlderError struct {
	Have, Want int64 // schema versions; 0: the database has none
}

func (e *OlderError) Error() string {
	if e.Have == 0 {
		return "the database has no records of paperfs yet"
	}
	return fmt.Sprintf("the database has schema version %d and this paperfs works with %d", e.Have, e.Want)
}

// checkVersion refuses an older schema. A newer one adds to what is here: while
// nodes are replaced one after the other, those of both programs serve it.
func checkVersion(ctx context.Context, c *pgx.Conn) error {
	want, err := schema.Newest(migrations())
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
	if have < want {
		return &OlderError{Have: have, Want: want}
	}
	return nil
}
