package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"paperfs/remote/durable"
	"paperfs/remote/service/store"
)

// Inspection is the result of Inspect.
type Inspection struct {
	Other   bool   // the database belongs to another program
	Version int64  // of the schema; 0 if there is none yet
	SetUp   bool   // a service was set up in it
	Secret  string // the requested secret; "" if there is none
	Names   bool   // a record names content
}

// Inspect reads a database. It changes neither the database nor the files next to it. A missing or empty file is no error, one from
// before the first migration is a *durable.OlderError.
func Inspect(ctx context.Context, file, secret string) (p Inspection, err error) {
	if there, err := isThere(file); !there {
		return p, err
	}
	first, _, err := store.Schemas(migrations())
	if err != nil {
		return p, err
	}
	err = readPassive(ctx, file, func(db *sql.DB) error {
		p = Inspection{}
		return p.read(ctx, db, secret, first)
	})
	switch {
	case code(err) == sqlite3.SQLITE_NOTADB:
		return Inspection{Other: true}, nil
	case err != nil:
		err = fmt.Errorf("read %s: %w", file, err)
	case !p.Other && 0 < p.Version && p.Version < first:
		err = &durable.OlderError{Place: file, Have: p.Version}
	}
	return p, err
}

func (p *Inspection) read(ctx context.Context, db *sql.DB, secret string, first int64) error {
	found := map[string]bool{}
	rows, err := db.QueryContext(ctx, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		return err
	}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return errors.Join(err, rows.Close())
		}
		found[name] = true
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	p.Other = len(found) > 0 && !found["goose_db_version"]
	if p.Other || len(found) == 0 {
		return nil
	}
	if err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version`).Scan(&p.Version); err != nil || p.Version == 0 {
		return err
	}
	if p.Other = !found["tenant"] || !found["media_file"]; p.Other || p.Version < first { // another program with the same migration library
		return nil
	}
	if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM tenant WHERE id > 0), EXISTS (`+keysQuery+`)`).Scan(&p.SetUp, &p.Names); err != nil {
		return err
	}
	err = db.QueryRowContext(ctx, `SELECT CAST(value AS TEXT) FROM secret WHERE name = ?`, secret).Scan(&p.Secret)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return err
}
