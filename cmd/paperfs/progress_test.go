package main

import (
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
)

// TestACommandShowsWhatItWaitsFor checks that a command shows on a terminal what it waits for, in a line
// that disappears, and elsewhere shows nothing.
func TestACommandShowsWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done(): // the test has failed
		}
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(s.Close) // registered first, so that it runs after the program has ended
	e := newEnvironment(t)
	e.set("PAPERFS_PASSWORD", "secret")
	p, wait := e.shownOnATerminal("doctor", "--url", s.URL, "--username", "me")
	wait("\r\x1b[Klooking at: service, ")
	close(release)
	wait("\r\x1b[Kpaperfs: ")
	require.Equal(t, cli.ExitUnwell, p.wait())

	_, _, stderr := e.run("doctor", "--url", s.URL, "--username", "me")
	require.NotContains(t, stderr, "looking")
}

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
