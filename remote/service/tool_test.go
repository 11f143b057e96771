package service_test

import (
	"os"
	"os/exec"
	"testing"
)

// tool returns the path of a program. Without it, the test is skipped, or fails in strict mode.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("PAPERFS_TEST_STRICT") == "1" {
		t.Fatalf("%s is missing", name)
	}
	t.Skipf("%s is missing", name)
	return ""
}
