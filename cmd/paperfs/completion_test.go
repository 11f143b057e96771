package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

func TestCompletion(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	in := e.path("ipaper")
	for _, command := range []string{"umount", "status"} {
		require.Contains(t, e.succeed("__complete", command, ""), in+"\n")
		require.Equal(t, in+"\n:4\n", e.succeed("__complete", command, in[:len(in)-2]), "only the mount, no files")
		require.Equal(t, ":16\n", e.succeed("__complete", command, "~/ip"), "the shell completes directories")
		require.Equal(t, ":4\n", e.succeed("__complete", command, in, ""), "only one argument")
	}
	require.Contains(t, e.succeed("__complete", "doctor", in[:len(in)-2]), in+"\n")
	for _, command := range []string{"stat", "why", "wait", "url", "open", "refresh", "retry", "discard", "undo"} {
		require.Contains(t, e.succeed("__complete", command, ""), in+"/\n")
		require.Equal(t, ":0\n", e.succeed("__complete", command, in+"/pa"), "the shell completes files")
	}
	require.Contains(t, e.must("paperfs() { "+e.program+" \"$@\"; }; paperfs __complete stat ''"), ":0\n", "in a mount, the shell completes its files")
	require.Contains(t, e.succeed("__complete", "help", "mou"), "mounting\t")
	e.fail(cli.ExitUsage, "give one of bash, fish, zsh", "completion", "tcsh")
}

// TestCompletionScripts checks that each installed shell can read its script.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := e.succeed("completion", shell)
		require.Contains(t, script, "__complete")
		if path, err := exec.LookPath(shell); err == nil {
			require.NoError(t, os.WriteFile(e.path(shell), []byte(script), 0o600))
			out, err := programtest.Command(t, testrun.Patience(), path, "-n", e.path(shell)).CombinedOutput()
			require.NoError(t, err, strings.TrimSpace(string(out)))
		}
	}
}

// TestCompletionOfBashAlone checks the script without the package bash-completion.
func TestCompletionOfBashAlone(t *testing.T) {
	t.Parallel()
	bash := testrun.Program(t, "bash")
	e := newEnvironment(t)
	e.profiles("[acme]\n[studio]\n")
	require.NoError(t, os.Mkdir(e.path("a folder"), 0o700))
	require.NoError(t, os.WriteFile(e.path("bash"), []byte(e.succeed("completion", "bash")), 0o600))
	complete := func(words ...string) string {
		script := `. ./bash; paperfs() { "$PROGRAM" "$@"; }; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
			__start_paperfs 2> /dev/null; printf '%s\n' "${COMPREPLY[@]}"`
		cmd := programtest.Command(t, testrun.Patience(), bash, append([]string{"--norc", "-c", script, "bash"}, words...)...)
		cmd.Env, cmd.Dir = append(e.vars, "PROGRAM="+program), e.home
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	require.Equal(t, "mount\nmounts\n", complete("paperfs", "mou"))
	require.Equal(t, "acme\nstudio\n", complete("paperfs", "mount", ""))
	require.Equal(t, "a folder\n", complete("paperfs", "mount", "acme", "a"))
}

// TestAScriptForEachShell checks that each shell gets its own, and that others are refused.
func TestAScriptForEachShell(t *testing.T) {
	for shell, has := range map[string]string{"bash": "_get_comp_words_by_ref() {", "zsh": "#compdef paperfs", "fish": "complete -c paperfs"} {
		root := &cobra.Command{Use: "paperfs"}
		root.AddCommand(newCompletionCommand())
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetArgs([]string{"completion", shell})
		require.NoError(t, root.Execute())
		require.Contains(t, out.String(), has)
		root.SetArgs([]string{"completion", "tcsh"})
		root.SetErr(&out)
		require.ErrorContains(t, root.Execute(), "bash, fish, zsh")
	}
}
