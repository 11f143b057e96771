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
	_, env := e.serving("--jobs", "0")
	for name, value := range env {
		e.set(name, value)
	}
	e.mount()
	e.must(`mkdir papers/X.paper; printf '%%PDF-1.4\ndamaged' > papers/X.paper/source.pdf`)
	p, wait := e.shownOnATerminal("wait", e.path("ipaper", "papers", "X.paper"))
	wait("processing X.paper: 0 %, ")
	p.signal(syscall.SIGINT)
	require.NotZero(t, p.wait())
}
