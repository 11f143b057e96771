package fullcopy

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// filledEngine returns an engine with values of every type.
func filledEngine() *memoryEngine {
	e := newEngine()
	e.rows["tenant"] = []store.Row{{int64(1), "one"}, {int64(2), "two"}}
	e.rows["node"] = []store.Row{{int64(1), "title"}, {int64(2), nil}, {int64(3), []byte("bytes")}, {int64(4), 0.5}, {int64(5), int64(6)}, {int64(7), ""}}
	e.last["node"] = 12
	return e
}

// TestACopyHasEveryRow checks that a copy has the rows and the last ids of its source, and that
// it is not made again.
func TestACopyHasEveryRow(t *testing.T) {
	t.Parallel()
	from, to := filledEngine(), newEngine()
	r := testrun.Must(CopyRecords(t.Context(), from, to, nil, nil))(t)
	require.Equal(t, RecordReport{Rows: 8}, r)
	require.ElementsMatch(t, from.rows["node"], to.rows["node"])
	require.EqualValues(t, 12, to.last["node"])
	require.Equal(t, store.AllTables, to.loads)
	r = testrun.Must(CopyRecords(t.Context(), from, to, nil, nil))(t)
	require.Equal(t, RecordReport{There: true}, r)
	require.Equal(t, store.AllTables, to.loads, "nothing is loaded again")
}

// TestRowsAreComparedWithTheirSource checks that a copy fails, and leaves nothing, if the target
// does not have the rows that it was given, whatever it did to them.
func TestRowsAreComparedWithTheirSource(t *testing.T) {
	t.Parallel()
	for name, writes := range map[string]func(row store.Row) []store.Row{
		"lost":              func(store.Row) []store.Row { return nil },
		"twice":             func(row store.Row) []store.Row { return []store.Row{row, row} },
		"another id":        func(row store.Row) []store.Row { return []store.Row{{row[0].(int64) + 1, row[1]}} },
		"columns swapped":   func(row store.Row) []store.Row { return []store.Row{{row[1], row[0]}} },
		"a value forgotten": func(row store.Row) []store.Row { return []store.Row{{row[0], nil}} },
		"another type":      func(row store.Row) []store.Row { return []store.Row{{row[0], []byte(row[1].(string))}} },
		"cut":               func(row store.Row) []store.Row { return []store.Row{{row[0], row[1].(string)[:1]}} },
		"a number as text":  func(row store.Row) []store.Row { return []store.Row{{"1", row[1]}} },
	} {
		t.Run(name, func(t *testing.T) {
			to := newEngine()
			to.writes = func(table string, row store.Row) []store.Row {
				if table == "tenant" && row[0] == int64(1) {
					return writes(row)
				}
				return []store.Row{row}
			}
			_, err := CopyRecords(t.Context(), filledEngine(), to, nil, nil)
			require.ErrorContains(t, err, "tenant: the copied rows differ")
			require.Empty(t, to.rows)
		})
	}
}

// TestOtherRecordsAreNotReplaced checks that a target with any other row is refused before content
// is copied to it.
func TestOtherRecordsAreNotReplaced(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(e *memoryEngine){
		"another tenant": func(e *memoryEngine) { e.rows["tenant"][0][1] = "other" },
		"a row more":     func(e *memoryEngine) { e.rows["visit"] = []store.Row{{int64(1), nil}} },
		"a row less":     func(e *memoryEngine) { e.rows["node"] = e.rows["node"][1:] },
	} {
		t.Run(name, func(t *testing.T) {
			to := filledEngine()
			change(to)
			_, err := RecordsAreThere(t.Context(), filledEngine(), to)
			require.ErrorIs(t, err, ErrOtherRecords)
			_, err = CopyRecords(t.Context(), filledEngine(), to, func([]store.Holding) error { t.Error("content is copied"); return nil }, nil)
			require.ErrorIs(t, err, ErrOtherRecords)
			require.Empty(t, to.loads)
		})
	}
	there := testrun.Must(RecordsAreThere(t.Context(), filledEngine(), newEngine()))(t)
	require.False(t, there, "a target without records takes them")
}

// TestContentComesBeforeTheRecordsThatNameIt checks that no record is written if the contents that
// they name cannot be.
func TestContentComesBeforeTheRecordsThatNameIt(t *testing.T) {
	t.Parallel()
	from, to := filledEngine(), newEngine()
	from.holdings = []store.Holding{{Key: "a"}, {Key: "b"}}
	full := errors.New("full")
	_, err := CopyRecords(t.Context(), from, to, func(named []store.Holding) error {
		require.Equal(t, from.holdings, named)
		return full
	}, nil)
	require.ErrorIs(t, err, full)
	require.Empty(t, to.loads)
}

// TestColumnsMustBeTheSame checks that a table of another version is not copied in part.
func TestColumnsMustBeTheSame(t *testing.T) {
	t.Parallel()
	to := newEngine()
	to.columns = map[string][]string{"node": {"id", "title", "value"}}
	_, err := CopyRecords(t.Context(), filledEngine(), to, nil, nil)
	require.ErrorContains(t, err, "the table node has the columns id, value on one side and id, title, value on the other")
	require.Empty(t, to.rows)
}

// TestTextThatAnEngineCannotStore checks that such text is copied as the other engine writes it,
// and that the copy counts as equal.
func TestTextThatAnEngineCannotStore(t *testing.T) {
	t.Parallel()
	from, to := filledEngine(), newEngine()
	from.rows["page"] = []store.Row{{int64(1), "a\x00b\xffc"}, {int64(2), []byte("a\x00b\xff")}}
	for _, there := range []bool{false, true} {
		require.Equal(t, there, testrun.Must(CopyRecords(t.Context(), from, to, nil, nil))(t).There)
	}
	require.ElementsMatch(t, []store.Row{{int64(1), "a\ufffdb\ufffdc"}, {int64(2), []byte("a\x00b\xff")}}, to.rows["page"])
}
