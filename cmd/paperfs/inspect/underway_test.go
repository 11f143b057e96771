package inspect

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/control"
)

func TestCallsUnderWayInWords(t *testing.T) {
	now := time.Now()
	call := func(seconds int, waits string, sent int64) control.Call {
		return control.Call{Operation: "UploadFile", Since: now.Add(-time.Duration(seconds) * time.Second), Waits: waits, Sent: sent}
	}
	var lines []string
	atMost(func(columns ...any) { lines = append(lines, columns[1].(string)) }, "under way:",
		[]control.Call{call(120, "reply", 100), call(9, "reply", 3<<20), call(8, "limit", 0), call(7, "pause", 0), call(6, "reply", 0)},
		func(c control.Call) string { return underWayLine(c, now) })
	require.Equal(t, []string{
		"UploadFile for 2m0s: no answer yet",
		"UploadFile for 9s: 3.0 MiB sent, no answer yet",
		"UploadFile for 8s: it waits for the request limit",
		"and 2 more, in paperfs status --json",
	}, lines)
	require.Equal(t, "UploadFile for 7s: it failed and is repeated after a pause", underWayLine(call(7, "pause", 0), now))
}
