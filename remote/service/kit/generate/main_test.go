package generate_test

import (
	"testing"

	"go.uber.org/goleak"

	"paperfs/remote/testrun"
)

// TestMain checks that the tests leave no goroutine behind.
func TestMain(m *testing.M) {
	testrun.SideBySide(8)
	goleak.VerifyTestMain(m)
}
