package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/control"
	"paperfs/remote/ratelimit"
)

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
