package fullcopy

import (
	"context"
	"iter"
	"maps"
	"slices"

	"paperfs/remote/service/store"
)

// memoryEngine holds records in memory. Every table has the columns id and value.
type memoryEngine struct {
	rows     map[string][]store.Row
	last     map[string]int64
	columns  map[string][]string                           // of a table, if they are others
	holdings []store.Holding                               // what its records name
	writes   func(table string, row store.Row) []store.Row // what the engine stores instead of a row; nil: the row
	loads    []string                                      // tables that were loaded, also by imports that failed
}

func newEngine() *memoryEngine {
	return &memoryEngine{rows: map[string][]store.Row{}, last: map[string]int64{}}
}

// Export implements store.Exporter.
func (e *memoryEngine) Export(_ context.Context, f func(store.Tables, store.Reader) error) error {
	return f(e, holder{named: e.holdings})
}

// Import implements store.Importer: a failure leaves nothing.
func (e *memoryEngine) Import(_ context.Context, f func(store.Loader) error) error {
	rows, last := maps.Clone(e.rows), maps.Clone(e.last)
	err := f(e)
	if err != nil {
		e.rows, e.last = rows, last
	}
	return err
}

func (e *memoryEngine) Columns(table string) ([]string, error) {
	if columns := e.columns[table]; columns != nil {
		return columns, nil
	}
	return []string{"id", "value"}, nil
}

// Rows visits the last row first.
func (e *memoryEngine) Rows(table string, columns []string) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		for _, row := range slices.Backward(e.rows[table]) {
			if !yield(slices.Clone(row[:len(columns)]), nil) {
				return
			}
		}
	}
}

func (e *memoryEngine) Last(table string) (int64, error) { return e.last[table], nil }

func (e *memoryEngine) Order() []string { return store.AllTables }

func (e *memoryEngine) Load(table string, _ []string, rows iter.Seq2[store.Row, error]) error {
	e.loads = append(e.loads, table)
	for row, err := range rows {
		if err != nil {
			return err
		}
		stored := []store.Row{slices.Clone(row)}
		if e.writes != nil {
			stored = e.writes(table, stored[0])
		}
		e.rows[table] = append(e.rows[table], stored...)
	}
	return nil
}

func (e *memoryEngine) SetLast(table string, id int64) error {
	e.last[table] = id
	return nil
}

// holder names contents.
type holder struct {
	store.Reader
	named []store.Holding
}

func (h holder) Holdings(visit func(store.Holding) error) error {
	for _, named := range h.named {
		if err := visit(named); err != nil {
			return err
		}
	}
	return nil
}
