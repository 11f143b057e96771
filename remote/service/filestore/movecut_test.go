package filestore

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/disktest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/kit/temporary"
)

// movedFrom and movedTo are the environment variables of TestMoveChild: the content to move, and a
// directory on another file system.
const (
	movedFrom = "FILESTORE_TEST_MOVED_FROM"
	movedTo   = "FILESTORE_TEST_MOVED_TO"
)

// TestContentMovedToAnotherDiskIsSynced cuts the power after content was moved to another file
// system: the copy there, now the only one, is whole.
func TestContentMovedToAnotherDiskIsSynced(t *testing.T) {
	t.Parallel()
	content, dir := storetest.Bytes(1, 100_000), t.TempDir()
	from := filepath.Join(temporary.OtherDisk(t, dir), uuid.NewString())
	require.NoError(t, os.WriteFile(from, content, 0o600))
	program := exec.Command(os.Args[0], "-test.run=^TestMoveChild$")
	program.Env = append(os.Environ(), movedFrom+"="+from, movedTo+"="+dir)
	recording := disktest.Record(t, dir, program)
	require.NoFileExists(t, from)
	recording.Moments(func(m disktest.Moment) {
		if len(m.Said) == 0 {
			return
		}
		left := t.TempDir()
		require.NoError(t, m.Restore(left, disktest.Nothing))
		got, err := os.ReadFile(filepath.Join(left, "moved"))
		require.NoError(t, err, "the only copy has no name on the disk")
		require.Equal(t, len(content), len(got), "the only copy is not whole on the disk")
		require.Equal(t, content, got)
	})
}

// TestMoveChild moves content.
func TestMoveChild(t *testing.T) {
	from, to := os.Getenv(movedFrom), os.Getenv(movedTo)
	if from == "" {
		t.Skip("the program that TestContentMovedToAnotherDiskIsSynced runs")
	}
	require.NoError(t, move(from, filepath.Join(to, "moved"), filepath.Join(to, "draft")))
	disktest.Say("moved")
}
