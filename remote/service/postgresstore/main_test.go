package postgresstore_test

import (
	"os"
	"testing"

	"paperfs/remote/testrun"
)

// TestMain runs tests side by side: each has a database of its own, and mostly waits for it.
func TestMain(m *testing.M) {
	testrun.SideBySide(8)
	testrun.Checks(15)
	testrun.Short(short...)
	os.Exit(m.Run())
}
