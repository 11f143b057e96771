package durable

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pressly/goose/v3"
)

// steps returns the migrations in files. SQLite itself parses the statements of a file:
// goose would read it a line at a time, with buffers of 4 MiB.
func steps(files fs.FS) ([]*goose.Migration, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	all := make([]*goose.Migration, 0, len(names))
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		up, _, _ := strings.Cut(string(text), "\n-- +goose Down")
		all = append(all, goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, up); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		}}, nil))
	}
	return all, nil
}
