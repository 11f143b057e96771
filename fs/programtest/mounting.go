package programtest

import (
	"fmt"
	"path/filepath"
	"testing"

	"paperfs/fs/mountpoint"
	"paperfs/remote/testrun"
)

// Mounting ends a test where nothing can be mounted; see [testrun.Missing]. direct is the mount option
// DirectMountStrict: root mounts without fusermount3 where that is missing. What a test
// mounts below its own temporary directory does not outlive the test process.
func Mounting(t testing.TB) (direct bool) {
	t.Helper()
	direct, err := mountpoint.CheckFUSE()
	if err != nil {
		testrun.Missing(t, err.Error())
	}
	reaper, err := reap()
	if err == nil {
		_, err = fmt.Fprintln(reaper, filepath.Base(filepath.Dir(t.TempDir())))
	}
	if err != nil {
		t.Fatal(err)
	}
	return direct
}
