package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Keys visits the keys of all contents that a database of any version names, possibly more than
// once. It changes nothing. A missing or empty file names no content.
func Keys(ctx context.Context, file string, visit func(key string)) error {
	if there, err := isThere(file); !there {
		return err
	}
	err := readPassive(ctx, file, func(db *sql.DB) error {
		query, err := keysQuery(ctx, db)
		if err != nil {
			return err
		}
		rows, err := db.QueryContext(ctx, query)
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

// keysQuery returns a query for the keys that Holdings visits, for a database of any version.
func keysQuery(ctx context.Context, db *sql.DB) (string, error) {
	query := `SELECT content AS key FROM media_file`
	count := 0
	err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('rendition', 'job_work')`).Scan(&count)
	if count == 2 {
		query += ` UNION ALL SELECT pdf FROM rendition UNION ALL SELECT images FROM rendition UNION ALL SELECT pdf FROM job_work`
	}
	for _, table := range []string{"media_past", "kept"} {
		if err == nil {
			err = db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?`, table).Scan(&count)
		}
		if count == 1 {
			query += ` UNION ALL SELECT content FROM ` + table
		}
	}
	return `SELECT key FROM (` + query + `) WHERE key <> ''`, err
}
