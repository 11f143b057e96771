package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Keys visits the keys of all contents that a database names, possibly more than once. It changes nothing. A missing or empty file
// names no content.
func Keys(ctx context.Context, file string, visit func(key string)) error {
	if p, err := Inspect(ctx, file, ""); err != nil || !p.Names {
		return err
	}
	err := readPassive(ctx, file, func(db *sql.DB) error {
		rows, err := db.QueryContext(ctx, keysQuery)
		if err != nil {
			return err
		}
		for rows.Next() {
			var key string
			if err := rows.Scan(&key); err != nil {
				return errors.Join(err, rows.Close())
			}
			visit(key)
		}
		return errors.Join(rows.Err(), rows.Close())
	})
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// keysQuery asks for the keys that Holdings visits.
const keysQuery = `SELECT key FROM (SELECT content AS key FROM media_file UNION ALL SELECT pdf FROM rendition UNION ALL SELECT images FROM rendition
	UNION ALL SELECT pdf FROM job_work UNION ALL SELECT content FROM kept) WHERE key <> ''`
