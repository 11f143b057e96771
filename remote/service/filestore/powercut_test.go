package filestore

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/disktest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// keptDir is the environment variable that makes TestCommitChild the recorded program.
const keptDir = "FILESTORE_TEST_KEPT_DIR"

// contents are what the program commits: small content held in memory, larger content, and that of a file.
func contents() [][]byte {
	return [][]byte{[]byte("small"), bytes.Repeat([]byte("0123456789"), store.SmallContent), bytes.Repeat([]byte("abc"), store.SmallContent)}
}

// handed is the content that is handed over.
const handed = 2

// TestACommittedDraftIsSynced cuts the power at every moment of three commits: content with a
// name is complete, and content that was committed is there.
func TestACommittedDraftIsSynced(t *testing.T) {
	dir := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^TestCommitChild$")
	program.Env = append(os.Environ(), keptDir+"="+dir)
	recording := disktest.Record(t, dir, program)
	for name, kept := range map[string]disktest.Kept{"nothing": disktest.Nothing, "names": disktest.Names, "contents": disktest.Contents} {
		recording.Moments(func(m disktest.Moment) {
			left := t.TempDir()
			require.NoError(t, m.Restore(left, kept))
			s := testrun.Must(Open(filepath.Join(left, "content")))(t)
			why := []any{"cut before %q after %d commits, with %s that is not synced on the disk", m.Next, len(m.Said), name}
			for i, line := range m.Said {
				_, key, _ := strings.Cut(line, " ")
				r, err := s.File(key)
				require.NoError(t, err, why...)
				got := testrun.Must(io.ReadAll(r))(t)
				require.NoError(t, r.Close())
				require.True(t, bytes.Equal(contents()[i], got), why...)
			}
			require.NoError(t, s.Entries(func(e Entry) error {
				content := testrun.Must(os.ReadFile(filepath.Join(left, "content", e.Key[:2], e.Key)))(t)
				whole := false
				for _, c := range contents() {
					whole = whole || bytes.Equal(c, content)
				}
				require.True(t, whole, why...)
				return nil
			}))
		})
	}
}

// TestCommitChild commits drafts.
func TestCommitChild(t *testing.T) {
	dir := os.Getenv(keptDir)
	if dir == "" {
		t.Skip("the program that TestACommittedDraftIsSynced runs")
	}
	s := testrun.Must(Open(filepath.Join(dir, "content")))(t)
	for i, content := range contents() {
		d, err := s.Create(t.Context())
		if i == handed {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "spool"), content, 0o600))
			from, opened := os.Open(filepath.Join(dir, "spool"))
			require.NoError(t, opened)
			defer from.Close()
			d, _, err = s.CreateFrom(t.Context(), from)
		}
		require.NoError(t, err)
		testrun.Must(d.Write(content))(t)
		key := testrun.Must(d.Commit())(t)
		disktest.Say("committed %s", key)
		if i == handed {
			require.NoError(t, os.Remove(filepath.Join(dir, "spool")))
		}
	}
}

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
