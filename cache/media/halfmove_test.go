package media

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAMoveAtTheServiceThatAKillCut kills a mount before and after the service has moved something. The
// next mount shows it where the service has it, and sends what is queued there.
func TestAMoveAtTheServiceThatAKillCut(t *testing.T) {
	t.Parallel()
	for play, left := range map[string][2]map[string]string{
		"move":                               {{"a": "one"}, {"x": "one"}},
		"move over another":                  {{"a": "one", "x": "older"}, {"x": "one"}},
		"move of a file with queued changes": {{"a": "two"}, {"x": "two"}},
		"move over another of a file with queued changes": {{"a": "two", "x": "older"}, {"x": "two"}},
		"move of a directory":                             {{"d/sent": "one", "d/queued": "two"}, {"x/sent": "one", "x/queued": "two"}},
	} {
		for i, step := range []string{"1 to be moved", "1 moved"} {
			t.Run(play+", "+step, func(t *testing.T) {
				p := cutProcess(t)
				p.killed(play, true, step)
				p.holds(left[i])
			})
		}
	}
}

// TestAMoveOverAQueuedDirectoryThatAKillCut kills a mount after the service has moved a directory with queued content to the
// name of one that was still to be made: both are the same then, and what is queued is sent to it.
func TestAMoveOverAQueuedDirectoryThatAKillCut(t *testing.T) {
	t.Parallel()
	p := cutProcess(t)
	p.killed("move of a directory over a queued one", true, "1 moved")
	p.holds(map[string]string{"x/sent": "three", "x/queued": "two"})
}

// holds checks what the next run shows, and the service has, once its queue is sent.
func (p *process) holds(files map[string]string) {
	store, _ := p.next("")
	top, err := store.Find(ctx, p.top)
	require.NoError(p.t, err)
	require.NoError(p.t, store.Drain(ctx))
	require.NoError(p.t, store.Refresh(ctx))
	listing, err := store.List(ctx, top.Ino)
	require.NoError(p.t, err)
	for _, e := range listing.Entries {
		require.True(p.t, slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(name string) bool {
			return name == e.Name || strings.HasPrefix(name, e.Name+"/")
		}), e.Name)
	}
	for name, content := range files {
		sha256, there := p.at(path.Base(name))
		require.True(p.t, there, name)
		require.Equal(p.t, sum([]byte(content)), sha256, name)
		shown, there := p.content(store, name)
		require.True(p.t, there, name)
		require.Equal(p.t, content, shown, name)
	}
	require.Empty(p.t, store.Failed())
	require.Zero(p.t, store.Status().SpoolBytes)
}
