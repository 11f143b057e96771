package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestALocalNameHidesTheServices checks that .paperfs/errors reports a file of the service that a
// local file hides, and what to do.
func TestALocalNameHidesTheServices(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir media/d; echo mine > media/d/c.part`)
	tree := testrun.Must(m.client().GetTree(t.Context()))(t)
	testrun.Must(m.client().UploadFile(t.Context(), tree.Dirs[0].ID, "c.part", bytesOf("theirs\n")))(t)

	m.sh(`echo > .paperfs/refresh; echo > .paperfs/refresh`)
	require.Equal(t, "mine", m.sh(`cat media/d/c.part`))
	told := m.sh(`cat .paperfs/errors`)
	require.Equal(t, 1, strings.Count(told, "media/d/c.part: a local file or directory hides the one of this name on the service: rename the local one to see it"), told)
	require.NotContains(t, told, "understood")
	m.sh(`mv media/d/c.part media/d/mine; echo > .paperfs/refresh; grep theirs media/d/c.part`)
}
