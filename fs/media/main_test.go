package media_test

import (
	"testing"

	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/testrun"
)

// TestMain lets tests run side by side: each has its own service and mount, and waits for programs.
// It fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) {
	temporary.InMemory()
	testrun.Short(short...)
	testrun.SideBySide(8)
	testrun.Main(m)
}
