package remote

import (
	"testing"

	"go.uber.org/goleak"

	"paperfs/remote/testrun"
)

// TestMain checks, too, that no goroutine of a client outlives its tests: each client ends what it starts.
func TestMain(m *testing.M) {
	testrun.SideBySide(8)
	goleak.VerifyTestMain(m)
}
