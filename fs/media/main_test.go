package media_test

import (
	"os"
	"testing"

	"paperfs/remote/testrun"
)

// TestMain lets tests run side by side: each has its own service and mount, and waits for programs.
func TestMain(m *testing.M) {
	testrun.SideBySide(8)
	os.Exit(m.Run())
}
