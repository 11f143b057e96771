package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
)

// TestCommandsTakeTheMountThatTheyStandIn checks status, wait and doctor without an argument, and what the list of mounts says. Other
// tests have mounts of the same user, so outside of a mount there may be several.
func TestCommandsTakeTheMountThatTheyStandIn(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.set("PAPERFS", e.program)
	out := e.must(`mkdir -p papers/A && cd papers/A && "$PAPERFS" status && "$PAPERFS" wait && "$PAPERFS" doctor`)
	require.Contains(t, out, e.path("ipaper")+" since")
	require.Contains(t, out, e.path("ipaper")+" answers")
	require.Regexp(t, `(?m)^`+e.path("ipaper")+` +http://127`, e.succeed("mounts"))

	other := newEnvironment(t)
	other.mount()
	other.fail(cli.ExitUsage, "you have several mounts, and are in none of them, so name one: ", "status")
}
