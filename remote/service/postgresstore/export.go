package postgresstore

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

var _ store.Importer = (*Store)(nil)

// notCopied lists the columns that are not copied: they are short-lived, derived from others, or about this log of changes.
var notCopied = map[string][]string{"job_work": {"owner", "lease", "tenant", "progress"}, "link": {"file"}, "tenant": {"told"}, "webhook": {"place", "mark"}}

// patient lets a transaction stay idle while the other engine works.
const patient = `SET LOCAL idle_in_transaction_session_timeout = 0`

// Export implements store.Exporter.
func (s *Store) Export(ctx context.Context, f func(store.Tables, store.Reader) error) error {
	return s.Read(ctx, func(r store.Reader) error {
		t := r.(*tx)
		if err := t.Exec(patient); err != nil {
			return err
		}
		return f(tables{t}, r)
	})
}

// Import implements store.Importer.
func (s *Store) Import(ctx context.Context, f func(store.Loader) error) error {
	err := s.Write(ctx, store.AllTenants, func(w store.Writer) error {
		t := w.(*tx)
		for _, statement := range []string{patient, `DELETE FROM service`} {
			if err := t.Exec(statement); err != nil {
				return err
			}
		}
		if err := f(tables{t}); err != nil {
			return err
		}
		if err := t.Exec(records.CutLoaded); err != nil {
			return err
		}
		return t.keepAll()
	})
	if err != nil {
		return err
	}
	_, err = s.changing.Exec(ctx, `ANALYZE`) // without it the first searches would scan whole tables
	return translate(ctx, err)
}

// keepAll enters the contents that records name into the ledger as kept.
func (t *tx) keepAll() error {
	err := t.Exec(`INSERT INTO content (key, state, since) SELECT key, 'kept', clock_timestamp() FROM (` + records.Named + `) named WHERE key <> ''
		ON CONFLICT (key) DO UPDATE SET state = 'kept', since = excluded.since WHERE content.state IN ('intended', 'kept')`)
	if err != nil {
		return err
	}
	var lost int
	err = t.Row(`SELECT count(*) FROM (`+records.Named+`) named JOIN content USING (key) WHERE content.state <> 'kept'`, nil, &lost)
	if err == nil && lost > 0 {
		err = fmt.Errorf("%d contents of an earlier copy: %w", lost, store.ErrGivenUp)
	}
	return err
}

// tables reads and loads all records inside a transaction.
type tables struct{ *tx }

// types returns the types of a table's columns, by name.
func (t tables) types(table string) (map[string]string, error) {
	all := map[string]string{}
	err := t.Each(`SELECT attname::text, atttypid::regtype::text FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped`, []any{table},
		func(scan func(...any) error) error {
			var name, kind string
			err := scan(&name, &kind)
			if !slices.Contains(notCopied[table], name) {
				all[name] = kind
			}
			return err
		})
	return all, err
}

func (t tables) Columns(table string) ([]string, error) {
	types, err := t.types(table)
	return slices.Sorted(maps.Keys(types)), err
}

func (t tables) Rows(table string, columns []string) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		types, err := t.types(table)
		if err != nil {
			yield(nil, err)
			return
		}
		asked := slices.Clone(columns)
		for i, name := range asked {
			if types[name] == "boolean" {
				asked[i] += "::int::bigint"
			} else if types[name] != "text" && types[name] != "bytea" && types[name] != "double precision" {
				asked[i] += "::bigint"
			}
		}
		query := `SELECT ` + strings.Join(asked, ", ") + ` FROM ` + table
		switch table {
		case "secret":
			query += ` WHERE name <> '` + store.OwnSecret + `'`
		case "tenant", "node":
			query += ` WHERE id > 0` // each schema has the hidden ones
		}
		records.Rows(t, query, len(columns), func(store.Row) {}, yield)
	}
}

const sequence = `pg_get_serial_sequence($1, 'id')`

func (t tables) Last(table string) (last int64, err error) {
	var name string
	if err := t.Row(`SELECT `+sequence, []any{table}, &name); err != nil {
		return 0, err
	}
	err = t.Row(`SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM `+name, nil, &last)
	return last, err
}

func (t tables) SetLast(table string, id int64) error {
	return t.Exec(`SELECT setval(`+sequence+`, greatest($2::bigint, 1), $2::bigint > 0)`, table, id)
}

func (tables) Order() []string { return store.AllTables }

// Load sends the rows in one stream, so that a record may refer to a later one of the same table.
func (t tables) Load(table string, columns []string, rows iter.Seq2[store.Row, error]) error {
	if table == "job_work" {
		return t.loadWork(columns, rows)
	}
	types, err := t.types(table)
	if err != nil {
		return err
	}
	into := columns
	if table == "link" {
		into = append(slices.Clone(columns), "file")
	}
	next, stop := iter.Pull2(rows)
	defer stop()
	_, err = t.CopyFrom(t.ctx, pgx.Identifier{table}, into, pgx.CopyFromFunc(func() ([]any, error) {
		row, err, ok := next()
		if err != nil || !ok {
			return nil, err
		}
		for i, name := range columns {
			if number, is := row[i].(int64); is && types[name] == "boolean" {
				row[i] = number != 0
			}
		}
		if table == "link" {
			row = append(row, linkedFile(columns, row))
		}
		return row, nil
	}))
	return t.Fail(err)
}

// linkedFile returns the value of the column file, as ReplaceLinks writes it.
func linkedFile(columns []string, row store.Row) any {
	kind, _ := row[slices.Index(columns, "link_type")].(string)
	file, _ := row[slices.Index(columns, "file_id")].(string)
	if id, ok := rules.ID(file); ok && kind == "file" {
		return id
	}
	return nil
}

// loadWork loads the queue, which is small.
func (t tables) loadWork(columns []string, rows iter.Seq2[store.Row, error]) error {
	places := make([]string, len(columns))
	for i := range places {
		places[i] = fmt.Sprint("$", i+1)
	}
	text := `INSERT INTO job_work (` + strings.Join(columns, ", ") + `, tenant) OVERRIDING SYSTEM VALUE
		VALUES (` + strings.Join(places, ", ") + `, (SELECT tenant FROM job WHERE guid = $` + fmt.Sprint(slices.Index(columns, "job")+1) + `))`
	for row, err := range rows {
		if err == nil {
			err = t.Exec(text, row...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
