package filestore

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/disktest"
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
