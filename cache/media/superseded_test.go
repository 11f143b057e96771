package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// superseded lets others replace a, which the service has.
func (f *fixture) superseded() {
	was := f.lookup(Root, "a")
	require.Equal(f.t, Published, was.Where)
	f.service.set(0, "a", "theirs")
	require.NoError(f.t, f.store.Refresh(ctx))
	require.NotEqual(f.t, was.Ino, f.lookup(Root, "a").Ino, "the name no longer refers to it")
}

// TestAKillAfterAVersionOfOthers checks that a mount that is killed while a program has a file open that
// others have replaced leaves what was written to it since, by its path, and not what the service had.
func TestAKillAfterAVersionOfOthers(t *testing.T) {
	t.Parallel()
	for more, left := range map[string]map[string]string{"": {}, " and more": {"a": "mine and more"}} {
		t.Run("written since:"+more, func(t *testing.T) {
			f := newFixture(t)
			_, h, err := f.store.Create(Root, "a", New{Mode: 0o644})
			require.NoError(t, err)
			f.writeAll(h, "mine")
			require.NoError(t, h.Flush(ctx))
			f.superseded()
			if more != "" {
				f.appendAll(h, more)
			}
			require.NoError(t, f.store.Sync())
			g := f.killed(t, false)
			require.Equal(t, left, g.inFailed())
			g.reopen()
			require.Equal(t, left, g.inFailed())
			h.Release()
			f.drain()
			require.Equal(t, left, f.inFailed())
			require.NoError(t, f.store.Sync())
			require.Equal(t, left, f.killed(t, false).inFailed())
		})
	}
}
