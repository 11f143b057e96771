package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
)

func TestCompletion(t *testing.T) {
	e := newEnvironment(t)
	e.mount()
	in := e.path("ipaper")
	for _, command := range []string{"umount", "status"} {
		require.Contains(t, e.succeed("__complete", command, ""), in+"\n")
		require.Equal(t, in+"\n:4\n", e.succeed("__complete", command, in[:len(in)-2]), "and no files")
		require.Equal(t, ":16\n", e.succeed("__complete", command, "~/ip"), "left to the shell: directories")
		require.Equal(t, ":4\n", e.succeed("__complete", command, in, ""), "one is enough")
	}
	require.Contains(t, e.succeed("__complete", "doctor", in[:len(in)-2]), in+"\n")
	for _, command := range []string{"stat", "why", "wait", "url", "open", "refresh", "retry", "discard"} {
		require.Contains(t, e.succeed("__complete", command, ""), in+"/\n")
		require.Equal(t, ":0\n", e.succeed("__complete", command, in+"/pa"), "left to the shell: files")
	}
	require.Contains(t, e.must("paperfs() { "+e.program+" \"$@\"; }; paperfs __complete stat ''"), ":0\n", "in a mount its files are meant")
	require.Contains(t, e.succeed("__complete", "help", "mou"), "mounting\t")
	e.fail(exitUsage, "give one of bash, fish, zsh", "completion", "tcsh")
}

// TestCompletionScripts: each shell that is here can read its own.
func TestCompletionScripts(t *testing.T) {
	e := newEnvironment(t)
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := e.succeed("completion", shell)
		require.Contains(t, script, "__complete")
		if path, err := exec.LookPath(shell); err == nil {
			require.NoError(t, os.WriteFile(e.path(shell), []byte(script), 0o600))
			out, err := programtest.Command(t, patience, path, "-n", e.path(shell)).CombinedOutput()
			require.NoError(t, err, strings.TrimSpace(string(out)))
		}
	}
}
