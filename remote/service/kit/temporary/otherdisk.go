package temporary

import (
	"os"
	"path/filepath"
	"testing"
)

// OtherDisk returns a directory on another file system than that of dir: a file of one cannot be linked into the other.
// It skips the test if there is none.
func OtherDisk(t testing.TB, dir string) string {
	t.Helper()
	for _, root := range []string{"/dev/shm", "/var/tmp", "/tmp"} {
		other, err := os.MkdirTemp(root, "paperfs-test-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { _ = os.RemoveAll(other) })
		probe, link := filepath.Join(other, "probe"), filepath.Join(dir, "probe")
		if err := os.WriteFile(probe, nil, 0o600); err != nil {
			continue
		}
		err = os.Link(probe, link)
		_, _ = os.Remove(probe), os.Remove(link)
		if err != nil {
			return other
		}
	}
	t.Skip("there is no second file system")
	return ""
}
