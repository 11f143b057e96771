package media_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChangesBeforeTheMountAreNoConflict checks that content which is begun in a new mount is begun on what the service
// has then, and not on what an earlier mount has seen: the close must not be the first to look.
func TestChangesBeforeTheMountAreNoConflict(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		for name, script := range map[string]string{"cp": `cp ../mine f`, "emptied": `printf mine > f`, "in place": `printf mine 1<> f`} {
			t.Run(mode+", "+name, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, append(slices.Clone(options), looking)...)
				m.sh(`printf old! > f; printf mine > ../mine; cat f`)
				m.drained()
				m.stop()
				m.theirs("f", "else")
				m.start()
				asked := ops("GetTree", upload)
				if name == "in place" {
					asked = ops("GetTree", "GetTree", upload) // each change of a part looks; within 10 s it does not
				}
				require.Equal(t, asked, m.cost(script+` && cat f`))
				m.drained()
				require.Equal(t, map[string]string{"f": sum("mine")}, m.atService())
				require.Empty(t, m.failures.Events())
				require.Empty(t, m.store.Failed())
			})
		}
	}
}
