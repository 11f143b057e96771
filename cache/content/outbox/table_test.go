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

// TestStatesChangeAsTheTableSays checks every state and event against the table in doc.go. Only
// moveLocked and Drop assign a state.
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
	require.Len(t, table, 7, "a header row, and one row per state")
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
