package main

import (
	"encoding/json"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestEachLineOfServeIsJSON checks with --log-format json that each line on standard error is
// JSON, from the first on: what serve listens on, and why it does not start.
func TestEachLineOfServeIsJSON(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	lines := func(p *process) (messages []string) {
		for line := range strings.Lines(p.stderr.String()) {
			var entry struct{ Time, Level, Msg string }
			require.NoError(t, json.Unmarshal([]byte(line), &entry), line)
			require.NotEmpty(t, entry.Time)
			require.NotEmpty(t, entry.Level)
			messages = append(messages, entry.Msg)
		}
		return messages
	}
	p := e.start("serve", "--data", e.path("data"), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log-format", "json", "--log-level", "error")
	p.says("serving " + e.path("data") + " at http")
	p.signal(syscall.SIGTERM)
	require.Equal(t, cli.ExitOK, p.wait())
	said := lines(p)
	require.Contains(t, said[0], "/healthz, /readyz and /metrics at 127.0.0.1:")
	require.Contains(t, said[1], "serving "+e.path("data"))
	require.Contains(t, said[2], "publisher's name") // of a first start
	require.Len(t, said, 3)

	taken := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { taken.Close() })
	require.NoError(t, os.WriteFile(e.path("file"), nil, 0o600))
	for name, one := range map[string]struct {
		args []string
		says string
	}{
		"an address in use": {[]string{"--listen", taken.Addr().String(), "--data", e.path("data")}, "another program listens there"},
		"no directory":      {[]string{"--listen", "127.0.0.1:0", "--data", e.path("file", "data")}, "not a directory"},
		"an unknown flag":   {[]string{"--bogus"}, "unknown flag: --bogus"},
		"an argument":       {[]string{"more"}, "takes no arguments"},
		"a wrong value":     {[]string{"--jobs", "many"}, "give a whole number"},
	} {
		for _, format := range [][]string{{"--log-format", "json"}, {"--log-format=json"}} {
			p := e.start(append(append([]string{"serve"}, one.args...), format...)...)
			require.NotEqual(t, cli.ExitOK, p.wait(), name)
			said := lines(p)
			require.Len(t, said, 1, name)
			require.Contains(t, said[0], one.says, name)
		}
	}
}
