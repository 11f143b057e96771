package main

import (
	"testing"

	"paperfs/cmd/paperfs/exit"

	"github.com/stretchr/testify/require"
)

// TestWaitShowsProgressOfAPaper checks that wait shows on a terminal how far the pages of a paper
// are, and elsewhere writes nothing but the outcome.
func TestWaitShowsProgressOfAPaper(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--data", e.path("data"))
	e.must(`mkdir papers/X.paper; printf '%%PDF-1.4\ndamaged' > papers/X.paper/source.pdf`)
	paper := e.path("ipaper", "papers", "X.paper")
	p, wait := e.shownOnATerminal("wait", paper)
	require.Regexp(t, `X\.paper +\[[->=]+\] \d+ %`, wait("damaged or not complete"))
	require.Equal(t, exit.JobFailed, p.wait())

	code, stdout, stderr := e.run("wait", paper)
	require.Equal(t, exit.JobFailed, code)
	require.Empty(t, stdout)
	require.NotContains(t, stderr, "%")
}
