package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAScratchFileThatIsClosedKeepsItsName checks that a kill right after the close leaves the
// file in place, with its content, and nothing in failed/.
func TestAScratchFileThatIsClosedKeepsItsName(t *testing.T) {
	t.Parallel()
	p := cutProcess(t)
	p.killed("scratch", false, "1 closed")
	store, _ := p.next("")
	require.Empty(t, store.Failed())
	part, err := store.Find(ctx, p.top+"/.part")
	require.NoError(t, err)
	require.Equal(t, Local, part.Where)
	require.EqualValues(t, len("one"), part.Size)
}
