package main

import (
	"testing"

	"paperfs/cmd/paperfs/cli"

	"github.com/stretchr/testify/require"
)

// TestARefusedMountMakesNothing checks that a mount that is refused leaves no directory. Inside
// another mount it would be a category, or a folder of the media store.
func TestARefusedMountMakesNothing(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	for _, place := range []string{"papers", "media"} {
		e.fail(cli.ExitHeld, "mounted already at "+e.path("ipaper"), "mount", e.path("ipaper", place, "inside"))
		require.Empty(t, e.must("ls "+place))
	}
}
