package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestARenameThatTheEndCut starts where the mount was killed in a rename of the
// published file a to b, at the service or in what a close had queued.
func TestARenameThatTheEndCut(t *testing.T) {
	for name, c := range map[string]struct {
		before  func(f *fixture)
		options func(*Options)
		want    map[string]string
		told    bool
	}{
		"before the upload":     {func(*fixture) {}, deleting, map[string]string{"a": "one"}, false},
		"after the upload":      {func(f *fixture) { f.service.set(0, "b", "one") }, deleting, map[string]string{"b": "one"}, false},
		"over another":          {func(f *fixture) { f.service.set(0, "b", "other") }, deleting, map[string]string{"a": "one", "b": "other"}, false},
		"without leave":         {func(f *fixture) { f.service.set(0, "b", "one") }, func(*Options) {}, map[string]string{"a": "one", "b": "one"}, true},
		"nothing tells":         {func(f *fixture) { f.service.plain = true; f.service.set(0, "b", "one") }, deleting, map[string]string{"a": "one", "b": "one"}, true},
		"what is queued":        {func(f *fixture) { f.requeue("two"); f.service.set(0, "b", "two") }, deleting, map[string]string{"b": "two"}, false},
		"after the deletion":    {func(f *fixture) { f.service.set(0, "b", "one"); f.service.remove("a") }, deleting, map[string]string{"b": "one"}, false},
		"queued, and a deleted": {func(f *fixture) { f.requeue("two"); f.service.set(0, "b", "two"); f.service.remove("a") }, deleting, map[string]string{"b": "two"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack)
			a, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			f.drain()
			f.lookup(Root, "a")
			require.NoError(t, f.store.halfMoves.begin(a.Ino, halfMove{Root, "b"}))
			c.before(f)
			f.close()
			c.options(&f.options)
			f.reports = nil
			f.service.goAway(nil)
			f.open()
			require.NoError(t, f.store.Await(ctx)) // has the tree read
			f.eventually(func() bool { return f.movesLeft() == 0 })
			f.drain()
			require.Equal(t, c.want, f.service.all())
			require.NoError(t, f.store.Refresh(ctx))
			listing, err := f.store.List(ctx, Root)
			require.NoError(t, err)
			require.Len(t, listing.Entries, len(c.want))
			require.Equal(t, c.told, len(f.reports) == 1, "%v", f.reports)
			require.Zero(t, f.store.Status().SpoolBytes)
			if len(c.want) == 1 && c.want["b"] != "" && name != "after the deletion" {
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

// movesLeft is how many renames are noted.
func (f *fixture) movesLeft() (n int) {
	require.NoError(f.t, f.state.DB().QueryRow("SELECT count(*) FROM media_move").Scan(&n))
	return n
}
