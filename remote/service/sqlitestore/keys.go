package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
)

// Keys visits the keys of all contents that the records of a database name,
// which nobody may have open; it may be of an older version. It changes nothing,
// and a file that is missing or empty names none.
func Keys(ctx context.Context, file string, visit func(key string)) error {
	if there, err := isThere(file); !there {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer db.Close()
	query, err := keysQuery(ctx, db)
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return errors.Join(err, rows.Close())
		}
		visit(key)
	}
	return errors.Join(rows.Err(), rows.Close())
}

// keysQuery asks for the keys that Holdings gives, of any version.
func keysQuery(ctx context.Context, db *sql.DB) (string, error) {
	query := `SELECT content AS key FROM media_file`
	tables := 0
	err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('rendition', 'job_work')`).Scan(&tables)
	if tables == 2 {
		query += ` UNION ALL SELECT pdf FROM rendition UNION ALL SELECT images FROM rendition UNION ALL SELECT pdf FROM job_work`
	}
	return `SELECT key FROM (` + query + `) WHERE key <> ''`, err
}
