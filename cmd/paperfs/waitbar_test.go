package main

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWaitShowsProgressOfAPaper checks that wait shows on a terminal how far the pages of a paper
// are.
func TestWaitShowsProgressOfAPaper(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--data", e.path("data"))
	e.must(`mkdir papers/X.paper; printf '%%PDF-1.4\ndamaged' > papers/X.paper/source.pdf`)
	p, wait := e.shownOnATerminal("wait", e.path("ipaper", "papers", "X.paper"))
	require.Regexp(t, `X\.paper +\[[->=]+\] \d+ %`, wait(" %"))
	p.signal(syscall.SIGINT)
	require.NotZero(t, p.wait()) // interrupted, or the job has ended: this PDF is damaged
}
