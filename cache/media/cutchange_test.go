package media

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAChangeThatAKillCutMayHaveTakenEffect: the next run shows what the service has, although
// the tree that it knows is recent. After an ordinary end it sends no request.
func TestAChangeThatAKillCutMayHaveTakenEffect(t *testing.T) {
	t.Parallel()
	names := func(f *fixture) (all []string) {
		list, err := f.store.List(ctx, Root)
		require.NoError(t, err)
		for _, e := range list.Entries {
			all = append(all, e.Name)
		}
		slices.Sort(all)
		return all
	}
	for name, c := range map[string]struct {
		change func(*fixture) error
		shows  []string
	}{
		"mkdir": {shows: []string{"a", "d", "new"}, change: func(f *fixture) error {
			_, err := f.store.Mkdir(ctx, Root, "new", New{Mode: 0o755})
			return err
		}},
		"rm":    {shows: []string{"d"}, change: func(f *fixture) error { return f.store.Unlink(ctx, Root, "a") }},
		"rmdir": {shows: []string{"a"}, change: func(f *fixture) error { return f.store.Rmdir(ctx, Root, "d") }},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, deleting)
			f.absent(Root, "a")
			f.mkdir(Root, "d")
			_, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			require.NoError(t, f.store.Refresh(ctx))
			f.reopen()
			trees := f.service.count("GetTree")
			require.Equal(t, []string{"a", "d"}, names(f))
			require.Equal(t, trees, f.service.count("GetTree"), "an ordinary end leaves nothing in doubt")
			left := f.left(t)
			require.NoError(t, c.change(f))
			left.open()
			t.Cleanup(left.close)
			f.eventually(func() bool { return len(names(left)) == len(c.shows) })
			require.Equal(t, c.shows, names(left))
		})
	}
}
