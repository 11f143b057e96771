package apitest

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/disktest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// powerCutDir names the directory above the data of TestPowerCutChild's service.
const powerCutDir = "SERVICE_TEST_POWER_CUT_DIR"

// quiet returns a service on a data directory that discards its log.
func quiet(t *testing.T, data string) *server {
	s := &server{t: t, data: data, options: service.Options{Data: data, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}}
	s.open()
	t.Cleanup(s.close)
	return s
}

// upload is a file to upload.
type upload struct{ name, content string }

func uploads() []upload {
	long := func(text string) string { return strings.Repeat(text, store.SmallContent) }
	return []upload{{"long", long("a")}, {"short", "b"}, {"long", long("cd")}, {"short", "e"}, {"short", long("fg")}, {"long", "h"}}
}

func (u upload) digest() string { return fmt.Sprintf("%x", sha256.Sum256([]byte(u.content))) }

// TestAnsweredChangesAreSynced cuts the power of a service at every moment while it accepts new files
// and overwrites. Each file must have the content that was last answered with SUCCESS, or the one
// whose upload was under way. A run that has no time for everything looks at half of the states, another half each time.
func TestAnsweredChangesAreSynced(t *testing.T) {
	t.Parallel()
	allInFiles(t)
	dir := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^TestPowerCutChild$")
	program.Env = append(os.Environ(), powerCutDir+"="+dir)
	recording := disktest.Record(t, dir, program)
	seen, skip := map[string]bool{}, rand.IntN(2)
	for name, kept := range map[string]disktest.Kept{"nothing": disktest.Nothing, "names": disktest.Names, "contents": disktest.Contents} {
		recording.Moments(func(m disktest.Moment) {
			print := fmt.Sprint(len(m.Said), m.Print(kept))
			if len(m.Said) == 0 || seen[print] {
				return
			}
			seen[print] = true
			if skip = 1 - skip; skip == 1 && !testrun.All() {
				return
			}
			left := t.TempDir()
			require.NoError(t, m.Restore(left, kept))
			s := quiet(t, filepath.Join(left, "data"))
			s.holds(m, name)
			s.close()
		})
	}
}

// holds requires that the service has everything it had confirmed by this moment.
func (s *server) holds(m disktest.Moment, kept string) {
	want := map[string][]string{} // digests by name: the confirmed content, and that of the upload under way
	answered := len(m.Said)
	for i, u := range uploads()[:min(answered+1, len(uploads()))] {
		if i < answered {
			want[u.name] = nil
		}
		want[u.name] = append(want[u.name], u.digest())
	}
	why := []any{"cut before %q after %d answers, with %s that is not synced on the disk", m.Next, answered, kept}
	there := map[string]bool{}
	for _, f := range s.mediaFiles() {
		there[f.Name] = true
		require.Contains(s.t, want[f.Name], f.SHA256, why...)
		require.Equal(s.t, f.SHA256, fmt.Sprintf("%x", sha256.Sum256([]byte(s.get(f.URL).body))), why...)
	}
	for _, u := range uploads()[:answered] {
		require.True(s.t, there[u.name], why...)
	}
}

// TestPowerCutChild uploads files.
func TestPowerCutChild(t *testing.T) {
	dir := os.Getenv(powerCutDir)
	if dir == "" {
		t.Skip("the service that TestAnsweredChangesAreSynced runs")
	}
	s := quiet(t, filepath.Join(dir, "data"))
	for _, u := range uploads() {
		s.must(remote.UploadFile, "parentID", "0", "name", u.name, "base64File", base64.StdEncoding.EncodeToString([]byte(u.content)))
		disktest.Say("answered %s", u.name)
	}
}

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
