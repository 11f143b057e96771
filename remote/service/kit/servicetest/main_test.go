package servicetest

import (
	"os"
	"testing"

	"paperfs/remote/testrun"
)

// A short run leaves out what needs nodes with databases of their own, and rendered pages.
func TestMain(m *testing.M) {
	testrun.ShortWithout("TestOneOfTheNodesSends", "TestMarksHoldOverNodes", "TestRememberedPagesAreThoseOfPDFium")
	os.Exit(m.Run())
}
