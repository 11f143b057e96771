package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestHintsCanBePasted checks that a command in an error message works in a shell, whatever
// characters the path contains.
func TestHintsCanBePasted(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PATH", filepath.Dir(e.program)+":"+os.Getenv("PATH"))
	e.mount()
	e.must(`mkdir "papers/a b'c.paper"`)
	hint := func(form string, args ...string) string {
		code, _, stderr := e.run(args...)
		require.Equal(t, cli.ExitFailure, code)
		found := regexp.MustCompile(form).FindStringSubmatch(stderr)
		require.Len(t, found, 2, stderr)
		return found[1]
	}
	require.Contains(t, e.must(hint("`(paperfs why .*)` says more", "url", "--preview=-1", e.path("ipaper/papers/a b'c.paper"))), "preview failed with EINVAL")

	for _, name := range []string{"a b'c", "red\x1b[31m\nand 'torn\xff"} {
		data := e.path(name)
		serve := hint("`(paperfs serve --data .*)` sets it up", "admin", "--data", data, "check")
		require.Equal(t, data, pasted(t, "set -- "+serve+` && printf %s "$4"`))
	}
}

// pasted returns an interactive shell's output for a line.
func pasted(t *testing.T, line string) string {
	t.Helper()
	return string(testrun.Must(programtest.Command(t, testrun.Patience(), "bash", "-c", line).Output())(t))
}
