package fs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWhatAColleagueUploadedIsOverwrittenUntilTheTreeIsRead checks that the topic semantics tells the
// truth about `>>`: it appends to the version that this mount knows, unless the tree is read first.
func TestWhatAColleagueUploadedIsOverwrittenUntilTheTreeIsRead(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo one > media/f; echo one > media/g; cat media/f media/g`)
	for _, name := range []string{"f", "g"} {
		_, err := m.client().UploadFile(t.Context(), 0, name, bytesOf("theirs\n"))
		require.NoError(t, err)
	}
	m.sh(`echo mine >> media/f`)
	m.eventually(`"$PAPERFS" refresh media && grep -q theirs media/g`)
	m.sh(`echo mine >> media/g`)
	assert.Equal(t, map[string]string{"f": sum("one\nmine\n"), "g": sum("theirs\nmine\n")}, m.atService())
}
