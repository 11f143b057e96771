package main

import (
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestACommandSaysThatItsMountIsUnmounted ends a mount beside a command that follows it.
func TestACommandSaysThatItsMountIsUnmounted(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	e := newEnvironment(t)
	for name, value := range map[string]string{"URL": f.URL, "USERNAME": f.Username, "PASSWORD": f.Password} {
		e.set("PAPERFS_"+name, value)
	}
	m := e.mount()
	colleague := testrun.Must(remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password}))(t)
	defer colleague.Close()
	p, made := e.start("events", e.path("ipaper")), 0
	require.Eventually(t, func() bool {
		made++
		_, err := colleague.CreateDirectory(t.Context(), 0, strconv.Itoa(made))
		return err == nil && strings.Contains(p.stdout.String(), "directory")
	}, testrun.Patience(), 100*time.Millisecond)
	m.signal(syscall.SIGTERM)
	require.Equal(t, cli.ExitOK, m.wait(), m.stderr)
	require.Equal(t, cli.ExitNotMounted, p.wait(), p.stderr)
	require.Contains(t, p.stderr.String(), "no paperfs is mounted there")
}
