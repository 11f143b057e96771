package sqlitestore

import (
	"context"
	"errors"

	"paperfs/remote/durable"
	"paperfs/remote/service/store/records"
)

// faults are the faults that only SQLite looks for; see records.Queries.FaultsOf.
var faults = []string{
	`SELECT 'database: ' || integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
	`SELECT 'database: a record of ' || "table" || ' names a record of ' || parent || ' that does not exist' FROM pragma_foreign_key_check`,
	`SELECT 'nodes ' || min(id) || ' and ' || max(id) || ' have the same address' FROM node WHERE parent IS NOT NULL GROUP BY parent, lower(url_name) HAVING count(*) > 1`,
	// If contents are files, the ledger is empty.
	`SELECT 'content ' || n.key || ' is named by a record, but not marked as kept' FROM (` + records.Named + `) n
		LEFT JOIN content c ON c.key = n.key WHERE coalesce(c.state, 0) <> 1 AND EXISTS (SELECT 1 FROM content)`,
	`SELECT 'content ' || key || ' is marked as kept, but no record names it' FROM content
		WHERE state = 1 AND key NOT IN (SELECT key FROM (` + records.Named + `))`,
}

func (t *tx) Faults() ([]string, error) { return t.FaultsOf(faults) }

// Snapshot writes a copy of the database, as committed when Snapshot begins, to a new file.
// Changes can continue in the meantime. The copy does not send what webhooks wait for. It knows no mark of the original: who
// has one may have made changes since, of which it was told nothing.
func (s *Store) Snapshot(ctx context.Context, file string) error {
	// The read connections are query_only, which also forbids writing to another file.
	db := open(s.file)
	err := errors.Join(durable.CopyDatabase(ctx, db, file), db.Close())
	if err == nil {
		db = open(file, "journal_mode(DELETE)") // no file beside the copy
		_, err = db.ExecContext(ctx, `UPDATE webhook SET place = '' WHERE place <> ''; INSERT INTO run (id, first) VALUES (hex(randomblob(16)), 0)`)
		err = errors.Join(err, db.Close())
	}
	return translate(err)
}
