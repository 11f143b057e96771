package flush

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/caller"
	"paperfs/remote/testrun"
)

// rows returns the rows of the table in doc.go that begins with header, split into columns.
func rows(t *testing.T, header string) (rows [][]string) {
	_, after, found := strings.Cut(string(testrun.Must(os.ReadFile("doc.go"))(t)), header+"\n")
	require.True(t, found, header)
	for line := range strings.Lines(after) {
		cells := strings.FieldsFunc(strings.TrimPrefix(strings.TrimSpace(line), "//"), func(r rune) bool { return r == '\t' })
		if len(cells) == 0 || strings.TrimSpace(cells[0]) == "" {
			return rows
		}
		rows = append(rows, strings.Fields(cells[len(cells)-1]))
	}
	return rows
}

var (
	verdicts = map[string]Verdict{"Publish": Publish, "Leave": Leave, "Spoil": Spoil}
	causes   = map[string]cause{"killed": killed, "exec": exec, "dying": dying, "normal": normal}
	roles    = map[string]role{"opener": opener, "orphan": orphan, "writer": writer, "stranger": stranger}
)

// TestFlushesAreJudgedAsTheTableSays compares flushed with its table in every case.
func TestFlushesAreJudgedAsTheTableSays(t *testing.T) {
	table := rows(t, "how     by        others hold  mapped  verdict")
	require.Len(t, table, 9)
	yes := map[bool]string{true: "yes", false: "no"}
	for cause, c := range causes {
		for role, r := range roles {
			for _, held := range []bool{false, true} {
				for _, mapped := range []bool{false, true} {
					want := ""
					for _, row := range table {
						fits := true
						for i, is := range map[int]string{0: cause, 1: role, 2: yes[held], 3: yes[mapped]} {
							fits = fits && (row[i] == "any" || row[i] == is)
						}
						if fits {
							want = row[4]
							break
						}
					}
					require.Contains(t, verdicts, want, "%s %s %t %t", cause, role, held, mapped)
					require.Equal(t, verdicts[want], flushed(c, r, mapped, func() bool { return held }), "%s %s %t %t", cause, role, held, mapped)
				}
			}
		}
	}
}

func TestReleasesAreJudgedAsTheTableSays(t *testing.T) {
	doc := testrun.Must(os.ReadFile("doc.go"))(t)
	for line, fates := range map[string][]caller.Fate{
		"one was killed    Spoil":   {caller.EndedWell, caller.Unseen, caller.WasKilled},
		"one ended unseen  Spoil":   {caller.Alive, caller.Unseen, caller.EndedWell},
		"else              Publish": {caller.Alive, caller.EndedWell},
	} {
		require.Contains(t, string(doc), "//\t"+line+"\n")
		var e ends
		for _, fate := range fates {
			e.add(fate)
		}
		require.Equal(t, strings.HasSuffix(line, "Spoil"), released(e) != nil, line)
	}
}
