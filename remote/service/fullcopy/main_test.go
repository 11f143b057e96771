package fullcopy_test

import (
	"os"
	"testing"

	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/testrun"
)

// TestMain runs tests side by side: each has data of its own, and mostly waits for its databases.
func TestMain(m *testing.M) {
	temporary.InMemory()
	testrun.SideBySide(8)
	testrun.ShortWithout(notShort...)
	os.Exit(m.Run())
}
