package fullcopy

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"paperfs/remote/service/store"
)

// RecordReport is the result of a copy.
type RecordReport struct {
	Rows  int64 `json:"rows"`
	There bool  `json:"there"` // everything was already there; nothing was copied
}

// ErrOtherRecords means that the target has records that are not a copy of the source.
var ErrOtherRecords = errors.New("it already has records that are not a copy of these")

// CopyRecords copies all records, or finds that they are already there. Before it writes any of them, it
// calls first with the contents that they name. It calls progress with the current table, one
// call at a time. Both may be nil.
func CopyRecords(ctx context.Context, from store.Exporter, to store.Importer, first func([]store.Holding) error, progress func(table string, at, all int)) (r RecordReport, err error) {
	c := &recordCopy{progress: progress}
	err = from.Export(ctx, func(source store.Tables, records store.Reader) error {
		c.source = source
		there, err := c.isThere(ctx, to)
		if err != nil {
			return err
		}
		if first != nil {
			var named []store.Holding
			if err := records.Holdings(func(h store.Holding) error { named = append(named, h); return nil }); err != nil {
				return err
			}
			if err := first(named); err != nil {
				return err
			}
		}
		if there {
			r.There = true
			return nil
		}
		return to.Import(ctx, c.load)
	})
	r.Rows = c.rows
	return r, err
}

// RecordsAreThere compares all records. It returns false for a target without records, and
// ErrOtherRecords for one with other records.
func RecordsAreThere(ctx context.Context, from store.Exporter, to store.Importer) (there bool, err error) {
	err = from.Export(ctx, func(source store.Tables, _ store.Reader) error {
		there, err = (&recordCopy{source: source}).isThere(ctx, to)
		return err
	})
	return there, err
}

type recordCopy struct {
	source   store.Tables
	progress func(table string, at, all int)
	rows     int64
}

func (c *recordCopy) tell(table string, at int) {
	if c.progress != nil {
		c.progress(table, at, len(store.AllTables))
	}
}

// isThere returns false for a target without tenants.
func (c *recordCopy) isThere(ctx context.Context, to store.Importer) (there bool, err error) {
	err = to.Export(ctx, func(target store.Tables, _ store.Reader) error {
		tenants, err := digestOf(target, "tenant", []string{"id"})
		if err != nil || tenants.Rows == 0 {
			return err
		}
		for i, table := range store.AllTables {
			c.tell(table, i+1)
			if err := c.compare(target, table); err != nil {
				return err
			}
		}
		there = true
		return nil
	})
	return there, err
}

// load copies and compares each table.
func (c *recordCopy) load(target store.Loader) error {
	for i, table := range target.Order() {
		c.tell(table, i+1)
		columns, err := c.columns(target, table)
		if err != nil {
			return err
		}
		var sent Digest
		if err := target.Load(table, columns, sent.counting(c.source.Rows(table, columns))); err != nil {
			return fmt.Errorf("copy the table %s: %w", table, err)
		}
		came, err := digestOf(target, table, columns)
		if err != nil {
			return err
		}
		if came != sent {
			return fmt.Errorf("copy the table %s: the copied rows differ from the source", table)
		}
		c.rows += sent.Rows
		if !slices.Contains(columns, "id") || table == "service" { // which has one row
			continue
		}
		last, err := c.source.Last(table) // an id is never given again
		if err == nil {
			err = target.SetLast(table, last)
		}
		if err != nil {
			return fmt.Errorf("copy the last id of %s: %w", table, err)
		}
	}
	return nil
}

// compare returns ErrOtherRecords if a table of the target has different rows.
func (c *recordCopy) compare(target store.Tables, table string) error {
	columns, err := c.columns(target, table)
	if err != nil {
		return err
	}
	ours, err := digestOf(c.source, table, columns)
	if err != nil {
		return err
	}
	theirs, err := digestOf(target, table, columns)
	if err == nil && ours != theirs {
		err = fmt.Errorf("%w (they differ in the table %s)", ErrOtherRecords, table)
	}
	return err
}

// columns returns the columns of a table, which must be the same on both sides.
func (c *recordCopy) columns(target store.Tables, table string) ([]string, error) {
	ours, err := c.source.Columns(table)
	if err != nil {
		return nil, err
	}
	theirs, err := target.Columns(table)
	if err == nil && !slices.Equal(ours, theirs) {
		err = fmt.Errorf("the table %s has the columns %s on one side and %s on the other", table, strings.Join(ours, ", "), strings.Join(theirs, ", "))
	}
	return ours, err
}

// sanitized replaces text that not every engine can store: see package postgresstore.
func sanitized(rows iter.Seq2[store.Row, error]) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		for row, err := range rows {
			for i, value := range row {
				text, ok := value.(string)
				if ok && (strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text)) {
					row[i] = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}
