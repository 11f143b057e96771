package inspect

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/failure"
	"paperfs/fs/control"
	"paperfs/remote/testrun"
)

// TestWhatIsUnpublishedSinceATime checks that directories refused since that time, and content in
// failed/, are unpublished, and that nothing waits for content that is not here.
func TestWhatIsUnpublishedSinceATime(t *testing.T) {
	m, began := mounted{t.TempDir()}, time.Now()
	tell := func(s control.Status, failures string) {
		text := testrun.Must(json.Marshal(s))(t)
		require.NoError(t, os.MkdirAll(m.control(""), 0o700))
		require.NoError(t, os.WriteFile(m.control("status"), text, 0o600))
		require.NoError(t, os.WriteFile(m.control("errors"), []byte(failures), 0o600))
	}
	tell(control.Status{}, failure.Event{Time: began, Op: "mkdir", Path: "media/d", Errno: "EROFS", Message: "the account is read-only"}.String()+"\n")
	require.ErrorContains(t, m.unpublished(began), "/media/d: the account is read-only")
	require.NoError(t, m.unpublished(began.Add(time.Hour)), "the failure was earlier")
	require.NoError(t, os.MkdirAll(filepath.Join(m.dir, "media/d"), 0o700))
	require.NoError(t, m.unpublished(began), "the directory has been created since")
	tell(control.Status{Media: control.MediaInfo{FailedFiles: []control.Failed{{Name: "x", Place: "media/x", Reason: "no"}}}}, "")
	require.ErrorContains(t, m.unpublished(began), "/media/x, now .paperfs/failed/x: no")

	tell(control.Status{Lost: "its state was removed", Media: control.MediaInfo{Uploads: []control.Upload{{Place: "media/y"}}}}, "")
	err := m.waitForFiles(t.Context(), io.Discard)
	require.ErrorIs(t, err, ErrUnpublished)
	require.ErrorContains(t, err, "its state was removed")
}
