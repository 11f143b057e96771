package sqlitestore

import (
	"testing"

	"go.uber.org/goleak"

	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/testrun"
)

// TestMain checks that the tests leave no goroutine behind.
func TestMain(m *testing.M) {
	temporary.InMemory()
	testrun.SideBySide(8)
	goleak.VerifyTestMain(m)
}
