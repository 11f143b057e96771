package media

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/journal"
)

// TestARenameThatTheEndCut checks each row of the table in doc.go for a mount that was killed
// while it moved the published file a to b.
func TestARenameThatTheEndCut(t *testing.T) {
	t.Parallel()
	for _, row := range tableRows(t, "old", "queued", "new", "delete", "stays", "told") {
		old, queued, to, allowed, left, told := row[0], row[1], row[2], row[3], row[4], row[5]
		t.Run(strings.Join(row, " "), func(t *testing.T) {
			f := newFixture(t, writingBack)
			a, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			f.drain()
			f.lookup(Root, "a")
			require.NoError(t, f.store.intents.Begin(a.Ino, journal.Intent{Dir: Root, Name: "b"}))
			if queued == "newer" {
				f.requeue("two")
			}
			content := map[string]string{"same": "one", "untold": "one", "newer": "two", "other": "other"}[to]
			if to != "-" {
				f.service.set(0, "b", content)
			}
			if old == "-" {
				f.service.remove("a")
			}
			f.service.tell(func(s *fakeService) { s.plain = to == "untold" })
			f.close()
			f.options.AllowDelete = allowed == "yes"
			f.reports = nil
			f.service.goAway(nil)
			f.open()
			require.NoError(t, f.store.Await(ctx)) // reads the tree
			f.eventually(func() bool { return f.movesLeft() == 0 })
			f.drain()
			want := map[string]map[string]string{"old": {"a": "one"}, "new": {"b": content}, "both": {"a": "one", "b": content}}[left]
			require.Equal(t, want, f.service.all())
			require.NoError(t, f.store.Refresh(ctx))
			listing, err := f.store.List(ctx, Root)
			require.NoError(t, err)
			require.Len(t, listing.Entries, len(want))
			require.Equal(t, told == "yes", len(f.reports) == 1, "%v", f.reports)
			require.Zero(t, f.store.Status().SpoolBytes)
			if left == "new" && (old != "-" || queued != "-") {
				require.Equal(t, a.Ino, f.lookup(Root, "b").Ino)
			}
		})
	}
}

// requeue overwrites a, which stays queued.
func (f *fixture) requeue(content string) {
	f.service.goAway(unreachable)
	require.NoError(f.t, f.overwrite(f.lookup(Root, "a").Ino, content))
}

// movesLeft returns the number of recorded intents.
func (f *fixture) movesLeft() (n int) {
	require.NoError(f.t, f.state.DB().QueryRow("SELECT count(*) FROM media_move").Scan(&n))
	return n
}
