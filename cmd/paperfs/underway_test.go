package main

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
	require.Empty(t, underWayLines(nil, now))
	require.Equal(t, []string{
		"UploadFile for 2m0s: no answer yet",
		"UploadFile for 9s: 3.0 MiB sent, no answer yet",
		"UploadFile for 8s: it waits for the request limit",
		"UploadFile for 7s: it failed and is repeated after a pause",
		"UploadFile for 6s: no answer yet",
		"and 2 more",
	}, underWayLines([]control.Call{call(120, "reply", 100), call(9, "reply", 3<<20), call(8, "limit", 0), call(7, "pause", 0), call(6, "reply", 0), call(5, "reply", 0), call(4, "reply", 0)}, now))
}
