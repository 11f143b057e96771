package durable_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/durable"
	"paperfs/remote/service/kit/disktest"
	"paperfs/remote/testrun"
)

// cutDir names the directory of TestCutChild.
const cutDir = "DURABLE_TEST_CUT_DIR"

// edition returns the n-th content of the file.
func edition(n int) []byte { return bytes.Repeat([]byte(fmt.Sprint("edition ", n, "\n")), 1000) }

// TestAPowerCutLeavesTheOldOrTheNew cuts the power at each moment of replacing a file in a new
// directory: the file is the old one or all of the new one, and the new one once Replace has
// returned.
func TestAPowerCutLeavesTheOldOrTheNew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^TestCutChild$")
	program.Env = append(os.Environ(), cutDir+"="+dir)
	recording := disktest.Record(t, dir, program)
	for name, kept := range map[string]disktest.Kept{"nothing": disktest.Nothing, "names": disktest.Names, "contents": disktest.Contents} {
		recording.Moments(func(m disktest.Moment) {
			left := t.TempDir()
			require.NoError(t, m.Restore(left, kept))
			why := []any{"cut before %q after %q, with %s that is not synced on the disk", m.Next, m.Said, name}
			made := filepath.Join(left, "one", "two")
			if len(m.Said) > 0 {
				require.DirExists(t, made, why...)
			}
			content, err := os.ReadFile(filepath.Join(made, "file"))
			now := max(0, len(m.Said)-1) // how often it was replaced
			if now == 0 && os.IsNotExist(err) {
				return
			}
			require.NoError(t, err, why...)
			require.True(t, bytes.Equal(content, edition(now)) || bytes.Equal(content, edition(now+1)), why...)
		})
	}
}

// TestCutChild makes a directory, and replaces a file in it twice.
func TestCutChild(t *testing.T) {
	dir := os.Getenv(cutDir)
	if dir == "" {
		t.Skip("the program that TestAPowerCutLeavesTheOldOrTheNew runs")
	}
	made := filepath.Join(dir, "one", "two")
	require.NoError(t, durable.MakeDir(made))
	disktest.Say("made")
	for n := range 2 {
		f := testrun.Must(os.OpenFile(filepath.Join(made, "draft"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600))(t)
		_, err := f.Write(edition(n + 1))
		require.NoError(t, durable.Replace(filepath.Join(made, "file"), f, err))
		disktest.Say("replaced")
	}
}
