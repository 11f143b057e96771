package s3store

import (
	"testing"

	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/testrun"
)

// TestMain runs tests beside each other: most wait for a request that fails or stands still.
func TestMain(m *testing.M) {
	temporary.InMemory()
	testrun.SideBySide(24)
	testrun.Short(short...)
	m.Run()
}
