package sqlitestore

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

var _ store.Importer = (*Store)(nil)

// notCopied lists the columns that are not copied: they are short-lived, or about this log of changes.
var notCopied = map[string][]string{"tenant": {"pdf_turn", "told"}, "job_work": {"owner", "lease"}, "webhook": {"place", "mark"}}

// Export implements store.Exporter.
func (s *Store) Export(ctx context.Context, f func(store.Tables, store.Reader) error) error {
	return s.Read(ctx, func(r store.Reader) error { return f(tables{r.(*tx)}, r) })
}

// Import implements store.Importer.
func (s *Store) Import(ctx context.Context, f func(store.Loader) error) error {
	return s.Write(ctx, store.AllTenants, func(w store.Writer) error {
		t := w.(*tx)
		if err := t.Exec(`PRAGMA defer_foreign_keys = ON`); err != nil {
			return err
		}
		if err := t.Exec(`DELETE FROM service`); err != nil {
			return err
		}
		if err := f(tables{t}); err != nil {
			return err
		}
		if err := t.Exec(records.CutLoaded); err != nil {
			return err
		}
		return t.Exec(`INSERT INTO page_index (rowid, phrase) SELECT page, phrase FROM page_phrase`)
	})
}

// tables reads and loads all records inside a transaction.
type tables struct{ *tx }

// column describes a column of a table.
type column struct {
	name  string
	bytes bool // BLOB NOT NULL: the driver returns nil for empty values
}

func (t tables) columns(table string) (map[string]column, error) {
	all := map[string]column{}
	err := t.Each(`SELECT name, type = 'BLOB' AND "notnull" FROM pragma_table_info(?)`, []any{table}, func(scan func(...any) error) error {
		var c column
		err := scan(&c.name, &c.bytes)
		if !slices.Contains(notCopied[table], c.name) {
			all[c.name] = c
		}
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("there is no table %s", table)
	}
	return all, err
}

func (t tables) Columns(table string) ([]string, error) {
	all, err := t.columns(table)
	return slices.Sorted(maps.Keys(all)), err
}

func (t tables) Rows(table string, columns []string) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		known, err := t.columns(table)
		if err != nil {
			yield(nil, err)
			return
		}
		records.Rows(t, `SELECT `+strings.Join(columns, ", ")+` FROM `+table+where(table), len(columns), func(row store.Row) {
			for i, name := range columns {
				if content, is := row[i].([]byte); known[name].bytes && (is && content == nil || row[i] == nil) {
					row[i] = []byte{}
				}
			}
		}, yield)
	}
}

// where excludes the rows that are not copied.
func where(table string) string {
	switch table {
	case "secret":
		return ` WHERE name <> '` + store.OwnSecret + `'`
	case "tenant", "node":
		return ` WHERE id > 0` // each schema has the hidden ones
	}
	return ""
}

func (t tables) Last(table string) (last int64, err error) {
	err = t.Row(`SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0), coalesce((SELECT max(id) FROM `+table+`), 0))`, []any{table}, &last)
	return last, err
}

// Order puts the table tenant last: triggers would count and number again the rows that are added
// for an existing tenant.
func (tables) Order() []string {
	return append(slices.DeleteFunc(slices.Clone(store.AllTables), func(table string) bool { return table == "tenant" }), "tenant")
}

func (t tables) Load(table string, columns []string, rows iter.Seq2[store.Row, error]) error {
	text := insertInto(table, columns)
	for row, err := range rows {
		if err == nil {
			_, err = t.ExecContext(t.ctx, text, row...)
		}
		if err != nil {
			return translate(err)
		}
	}
	return nil
}

func (t tables) SetLast(table string, id int64) error {
	var autoincrement bool
	err := t.Row(`SELECT instr(sql, 'AUTOINCREMENT') > 0 FROM sqlite_schema WHERE name = ?`, []any{table}, &autoincrement)
	if err != nil || !autoincrement {
		return err
	}
	if err := t.Exec(`DELETE FROM sqlite_sequence WHERE name = ?`, table); err != nil {
		return err
	}
	return t.Exec(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)`, table, id)
}
