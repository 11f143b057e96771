package service_test

import (
	"os"
	"os/exec"
	"testing"
)

// tool is where a program lies that the test cannot do without.
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
