package mounttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAKillAfterTheTreeWasRead checks that the next mount lists what was listed before, without
// another request within --tree-ttl.
func TestAKillAfterTheTreeWasRead(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	testrun.Must(m.client().CreateDirectory(t.Context(), 0, "theirs"))(t)
	m.killAfter(`test -d media/theirs`)
	m.start()
	require.Equal(t, "theirs", m.sh(`ls media`))
	m.proxy.Reset()
	m.remount()
	require.Equal(t, "theirs", m.sh(`ls media`))
	require.Zero(t, m.proxy.Count(remote.GetTree))
}
