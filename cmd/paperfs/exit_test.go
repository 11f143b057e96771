package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote"
	"paperfs/remote/durable"

	"github.com/stretchr/testify/require"
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

func TestContentWithoutItsDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	content := e.path("data", "content", "ab", "ab000000-0000-4000-8000-000000000000")
	require.NoError(t, os.MkdirAll(filepath.Dir(content), 0o700))
	require.NoError(t, os.WriteFile(content, []byte("content"), 0o600))
	e.fail(cli.ExitForeignData, "its database is missing", "serve", "--data", e.path("data"), "--listen", "127.0.0.1:0")
	e.fail(cli.ExitForeignData, "its database is missing", "mount", "--data", e.path("data"), e.path("mnt"))
	require.FileExists(t, content)
	require.NoFileExists(t, e.path("data", "service.db"))
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
