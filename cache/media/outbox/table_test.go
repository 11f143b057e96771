package outbox

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// events are the columns of the table in doc.go.
var events = []string{
	offer: "offer", turn: "turn", begin: "begin", over: "over", retry: "retry", postpone: "postpone",
	cancel: "cancel", resume: "resume", again: "again", later: "later", refused: "refused",
}

// TestStatesChangeAsTheTableSays holds every state and event to the table in
// doc.go. That nothing else changes a state is the compiler's and the reader's:
// only moveLocked and Drop assign one.
func TestStatesChangeAsTheTableSays(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	var table [][]string
	for line := range strings.Lines(string(doc)) {
		row, indented := strings.CutPrefix(line, "//\t")
		cells := strings.Fields(row)
		if !indented {
			continue
		}
		if len(cells) == len(events)+1 || len(cells) == len(events) && cells[0] == "offer" {
			table = append(table, cells)
		}
	}
	require.Len(t, table, 7, "a row of columns, and one of each state")
	require.Equal(t, events, table[0])
	for state := Waiting; state <= Stopped; state++ {
		row := table[1+state]
		require.Equal(t, state.String(), row[0])
		for ev := range events {
			got := "-"
			if to, changes := next[state][event(ev)]; changes {
				got = to.String()
			}
			require.Equal(t, row[1+ev], got, "%s %s", state, events[ev])
		}
	}
}
