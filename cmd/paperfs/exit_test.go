package main

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"
	"paperfs/remote"
	"paperfs/remote/durable"
	"paperfs/remote/ratelimit"
)

func TestDataOfANewerProgramHasItsExitCode(t *testing.T) {
	t.Parallel()
	require.Equal(t, cli.ExitNewer, exitCode(fmt.Errorf("open: %w", &durable.NewerError{File: "service.db", Have: 9, Newest: 3})))
}

// TestAServiceThatStallsIsUnreachable checks that scripts are told of one that stops answering as of one that is away.
func TestAServiceThatStallsIsUnreachable(t *testing.T) {
	t.Parallel()
	for _, kind := range []remote.Kind{remote.Unreachable, remote.Stalled} {
		require.Equal(t, cli.ExitUnreachable, exitCode(fmt.Errorf("mount: %w", &remote.Error{Kind: kind})), kind)
	}
}

func TestAFileThatIsNoDatabaseIsRefusedInWords(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	require.NoError(t, os.MkdirAll(e.path("data", "service.db"), 0o700))
	e.fail(cli.ExitForeignData, "service.db is a directory, where the database has to be a file. Nothing was changed. Move it away", "serve", "--data", e.path("data"), "--listen", "127.0.0.1:0")
	require.NoError(t, os.Remove(e.path("data", "service.db")))
	require.NoError(t, os.WriteFile(e.path("data", "content"), nil, 0o600))
	e.fail(cli.ExitForeignData, "content is a file, where content has to be a directory", "mount", "--data", e.path("data"), e.path("mnt"))
}

// TestTheLimitCountsTheMountBefore checks that the requests of a killed mount count, and that the
// next mount gets only the rest of the limit.
func TestTheLimitCountsTheMountBefore(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	for name, value := range env {
		e.set(name, value)
	}
	used := func() int {
		var s control.Status
		require.NoError(t, json.Unmarshal([]byte(e.succeed("status", "--json", e.path("ipaper"))), &s))
		return s.Requests.Used
	}
	for { // repeat if this machine was too slow for the limit's window
		began := time.Now()
		m := e.mount("--rpm", "45")
		e.must("mkdir -p papers/A/B/C/D")
		before := used()
		require.GreaterOrEqual(t, before, 4)
		require.NoError(t, m.cmd.Process.Kill())
		m.wait()
		m = e.mount("--rpm", "45")
		after := used()
		m.stop()
		if time.Since(began) < ratelimit.Window {
			require.Greater(t, after, before)
			return
		}
	}
}
