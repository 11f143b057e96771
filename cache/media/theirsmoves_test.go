package media

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheVersionOfOthersMovesAway checks that a new file stays where it is, and is published there, when others have
// made a file of the same name before its close, and have moved that file to another name since: one that is free, or
// one that has a new file, too.
func TestTheVersionOfOthersMovesAway(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]string{"free": "free", "taken": "y", "not shown": strings.Repeat("n", 256)} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			x, hx, err := f.store.Create(Root, "x", New{Mode: 0o644})
			require.NoError(t, err)
			_, hy, err := f.store.Create(Root, "y", New{Mode: 0o644})
			require.NoError(t, err)
			f.writeAll(hx, "my x")
			f.writeAll(hy, "my y")
			id := f.service.set(0, "x", "theirs")
			require.NoError(t, f.store.Refresh(ctx))
			f.service.tell(func(s *fakeService) { s.files[id].name = to })
			for range 2 {
				require.NoError(t, f.store.Refresh(ctx))
				require.Equal(t, x.Ino, f.lookup(Root, "x").Ino)
			}
			require.NoError(t, f.finish(hx, ""))
			f.published("x", "my x")
			err = f.finish(hy, "")
			if name == "taken" {
				require.True(t, Is(err, Superseded), "%v", err)
			} else {
				require.NoError(t, err)
				f.published("y", "my y")
			}
			for range 2 {
				if name == "not shown" {
					break
				}
				require.Equal(t, id, f.lookup(Root, to).ID)
				got, err := f.read(f.lookup(Root, to).Ino)
				require.NoError(t, err)
				require.Equal(t, "theirs", got)
				f.reopen()
			}
		})
	}
}
