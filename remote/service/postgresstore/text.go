package postgresstore

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// querier is what transactions and connections have in common.
type querier interface {
	Exec(ctx context.Context, text string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, text string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, text string, args ...any) pgx.Row
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
}

// sanitizer replaces what PostgreSQL rejects in text: NUL and invalid UTF-8. An error would end
// the whole transaction. It inserts U+FFFD instead, as XML answers do. A lookup of such a text
// finds no record.
type sanitizer struct{ querier }

func (c sanitizer) Exec(ctx context.Context, text string, args ...any) (pgconn.CommandTag, error) {
	return c.querier.Exec(ctx, text, sanitize(args)...)
}

func (c sanitizer) Query(ctx context.Context, text string, args ...any) (pgx.Rows, error) {
	return c.querier.Query(ctx, text, sanitize(args)...)
}

func (c sanitizer) QueryRow(ctx context.Context, text string, args ...any) pgx.Row {
	return c.querier.QueryRow(ctx, text, sanitize(args)...)
}

// sanitize replaces invalid text in args in place.
func sanitize(args []any) []any {
	for i, arg := range args {
		switch value := arg.(type) {
		case string:
			args[i] = sanitizeText(value)
		case *string:
			if value != nil {
				text := sanitizeText(*value)
				args[i] = &text
			}
		case []string:
			all := make([]string, len(value))
			for at, text := range value {
				all[at] = sanitizeText(text)
			}
			args[i] = all
		}
	}
	return args
}

func sanitizeText(s string) string {
	if strings.IndexByte(s, 0) < 0 && utf8.ValidString(s) {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "\ufffd")
}
