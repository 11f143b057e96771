package apitest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/disktest"
	"paperfs/remote/testrun"
)

// firstStartDir names the directory that TestFirstStartChild's service writes to.
const firstStartDir = "SERVICE_TEST_FIRST_START_DIR"

// TestFirstStartThatIsCutShort kills a first start, or cuts its power, at every moment, and checks
// that the next start completes it, and that the key in client.env works from then on.
func TestFirstStartThatIsCutShort(t *testing.T) {
	testrun.Long(t, "cuts the power of a first start at each moment")
	t.Parallel()
	allInFiles(t)
	dir := t.TempDir()
	program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFirstStartChild$")
	program.Env = append(os.Environ(), firstStartDir+"="+dir)
	recording := disktest.Record(t, dir, program)
	seen := map[string]bool{}
	for name, kept := range map[string]func() disktest.Kept{
		"everything": func() disktest.Kept { return func(string, bool) bool { return true } },
		"nothing":    func() disktest.Kept { return disktest.Nothing },
		"names":      func() disktest.Kept { return disktest.Names },
		"contents":   func() disktest.Kept { return disktest.Contents },
	} {
		recording.Moments(func(m disktest.Moment) {
			print := m.Print(kept())
			if seen[print] {
				return
			}
			seen[print] = true
			data := filepath.Join(t.TempDir(), "data")
			require.NoError(t, m.Restore(filepath.Dir(data), kept()))
			why := fmt.Sprintf("power cut before %q with %s unsynced on the disk", m.Next, name)
			s := quiet(t, data)
			require.Equal(t, remote.Success, s.call(remote.GetTree).code, why)
			s.close()
		})
	}
	require.Greater(t, len(seen), 20)
	t.Log(len(seen), "disk states")
}

// TestFirstStartChild starts a service and ends it.
func TestFirstStartChild(t *testing.T) {
	dir := os.Getenv(firstStartDir)
	if dir == "" {
		t.Skip("the service that TestFirstStartThatIsCutShort runs")
	}
	quiet(t, filepath.Join(dir, "data")).close()
}
