package media

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/lock"
	"paperfs/cache/content/tree"
)

// events are the columns of the table in doc.go.
var events = []string{
	tree.Written:       "written",
	tree.Enqueued:      "enqueued",
	tree.Cancelled:     "cancelled",
	tree.Uploaded:      "uploaded",
	tree.Outdated:      "outdated",
	tree.Reverted:      "reverted",
	tree.ReplacedOther: "replaced",
	tree.Hidden:        "hidden",
	tree.Shown:         "shown",
	tree.Unlinked:      "unlinked",
}

// TestStatesChangeAsTheTableSays checks every state and event against the table in doc.go.
func TestStatesChangeAsTheTableSays(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	var table [][]string
	for line := range strings.Lines(string(doc)) {
		row, indented := strings.CutPrefix(line, "//\t")
		cells := strings.Fields(row)
		if !indented && len(table) > 0 {
			break
		}
		if indented && (len(table) > 0 && len(cells) == len(events)+1 || len(cells) == len(events) && cells[0] == events[0]) {
			table = append(table, cells)
		}
	}
	require.Len(t, table, 7, "a header row, and one row per state")
	require.Equal(t, events, table[0])
	for state := tree.Clean; state <= tree.Orphan; state++ {
		row := table[1+state]
		require.Equal(t, state.String(), row[0])
		for ev := range events {
			got := "."
			switch to, known := tree.Transitions[state][tree.Event(ev)]; {
			case known && to == state:
				got = "-"
			case known:
				got = to.String()
			}
			require.Equal(t, row[1+ev], got, "%s %s", state, events[ev])
		}
	}
}

// TestEachEventIsWhereTheTableSays checks that the files that call On with an event are those
// listed in doc.go.
func TestEachEventIsWhereTheTableSays(t *testing.T) {
	t.Parallel()
	told := make(map[string]string)
	for _, row := range eventRows(t) {
		told[row[0]] = strings.Join(row[3:], " ")
	}
	files, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	for ev, name := range events {
		var there []string
		constant := strings.ToUpper(name[:1]) + name[1:]
		if tree.Event(ev) == tree.ReplacedOther {
			constant = "ReplacedOther"
		}
		for _, f := range files {
			content, err := os.ReadFile(f)
			require.NoError(t, err)
			if !strings.HasSuffix(f, "_test.go") && strings.Contains(string(content), ".On(tree."+constant+")") {
				there = append(there, strings.TrimSuffix(f, ".go"))
			}
		}
		require.Equal(t, strings.Join(there, " "), told[name], name)
	}
}

// eventRows returns the table of events in doc.go: event, lock, durable, and files.
func eventRows(t require.TestingT) (rows [][]string) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(doc), "//\tevent      lock   durable   files\n")
	require.True(t, found)
	for line := range strings.Lines(after) {
		cells := strings.Fields(strings.TrimPrefix(line, "//"))
		if len(cells) == 0 {
			break
		}
		rows = append(rows, cells)
	}
	return rows
}

// TestOnlyOneMethodChangesAState checks that there is one assignment, and that other packages
// cannot make any.
func TestOnlyOneMethodChangesAState(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("../content/tree")
	require.NoError(t, err)
	var found []string
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		content, err := os.ReadFile(filepath.Join("../content/tree", f.Name()))
		require.NoError(t, err)
		for line := range strings.Lines(string(content)) {
			if strings.Contains(line, ".state = ") {
				found = append(found, f.Name())
			}
		}
	}
	require.Equal(t, []string{"node.go"}, found)
}

// outside is the last event that the table does not have for its state. The test that ends
// next fails because of it.
var outside atomic.Pointer[string]

// inTable records events that violate the tables. Open and Load change nodes without locks,
// because nothing else uses those nodes yet.
func inTable(st tree.State, ev tree.Event, known bool) {
	if !known {
		outside.Store(new(fmt.Sprintf("not in the table of states: %s %s", st, events[ev])))
	}
	if underBody[ev] && lock.Holds[lock.Store]() && !lock.Holds[lock.Body]() {
		outside.Store(new(fmt.Sprintf("%s without the lock that the table of events requires", events[ev])))
	}
}

// underBody has the events that require the lock of the file's Body.
var underBody = make(map[tree.Event]bool)

// readLocks fills underBody from doc.go.
func readLocks() {
	for _, row := range eventRows(toldOfTests{}) {
		underBody[tree.Event(slices.Index(events, row[0]))] = row[1] == "body"
	}
}

// toldOfTests stands in for a test before the first one runs.
type toldOfTests struct{}

func (toldOfTests) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format, args...) }
func (toldOfTests) FailNow()                          { os.Exit(1) }
