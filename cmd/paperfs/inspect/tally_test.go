package inspect

import (
	"testing"

	"paperfs/fs/control"

	"github.com/stretchr/testify/require"
)

func TestTallyCountsWhatWasSeenAndIsGone(t *testing.T) {
	var tl tally
	upload := func(path string, size, sent int64) control.Upload {
		return control.Upload{Path: path, Size: size, Sent: sent}
	}
	m := tl.add(control.MediaInfo{Uploads: []control.Upload{upload("a", 100, 50), upload("b", 10, 0)}})
	require.Equal(t, "0 of 2 files, 50 B of 110 B", m)
	m = tl.add(control.MediaInfo{Uploads: []control.Upload{upload("b", 10, 10), upload("c", 5, 0)}})
	require.Equal(t, "1 of 3 files, 110 B of 115 B", m)
	failing := upload("c", 5, 0)
	failing.LastError = "the service cannot be reached"
	m = tl.add(control.MediaInfo{Failed: 2, Uploads: []control.Upload{failing}})
	require.Equal(t, "2 of 3 files, 110 B of 115 B, 2 in .paperfs/failed; c: the service cannot be reached", m)
	m = tl.add(control.MediaInfo{})
	require.Equal(t, "3 of 3 files, 115 B of 115 B", m)
}
