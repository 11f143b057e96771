package testrun

import (
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	_ "pgregory.net/rapid" // its flags
)

// TestPatienceGrowsWithTheLoad checks that a quiet machine waits for half a minute, and a busy one longer.
func TestPatienceGrowsWithTheLoad(t *testing.T) {
	assert.Equal(t, 30*time.Second, stretched(patience, 0, 2))
	assert.Equal(t, 30*time.Second, stretched(patience, 8, 2))
	assert.Equal(t, 2*time.Minute, stretched(patience, 32, 2))
	assert.NotPanics(t, func() { load() })
}

// TestLongRunsWithEverything checks that a long test runs with PAPERFS_TEST=all alone.
func TestLongRunsWithEverything(t *testing.T) {
	for _, c := range []struct {
		all string
		ran bool
	}{{"", false}, {"all", true}} {
		t.Setenv("PAPERFS_TEST", c.all)
		ran := false
		t.Run("long", func(t *testing.T) { Long(t, "waits"); ran = true })
		assert.Equal(t, c.ran, ran, "PAPERFS_TEST=%q", c.all)
	}
}

// TestARowRunsInOneOfItsTwoWays checks that a row runs in both ways with PAPERFS_TEST=all, and in one of them without.
func TestARowRunsInOneOfItsTwoWays(t *testing.T) {
	for _, row := range []string{"cp", "tar"} {
		t.Setenv("PAPERFS_TEST", "")
		assert.NotEqual(t, OneWay(row, false), OneWay(row, true), row)
		t.Setenv("PAPERFS_TEST", "all")
		assert.True(t, OneWay(row, false) && OneWay(row, true), row)
	}
	t.Setenv("PAPERFS_TEST", "")
	assert.NotEqual(t, OneWay("cp", true), OneWay("tar", true), "either way has its rows")
}

// TestSideBySideYieldsToTheCommandLine checks that -parallel of the command line counts.
func TestSideBySideYieldsToTheCommandLine(t *testing.T) {
	parallel := flag.Lookup("test.parallel").Value
	was, given := parallel.String(), given("test.parallel")
	SideBySide(7)
	if given {
		assert.Equal(t, was, parallel.String())
	} else {
		assert.Equal(t, "7", parallel.String())
	}
}

// TestChecksAreFewerOnlyInTheShortRun checks that PAPERFS_TEST=all leaves rapid's own number.
func TestChecksAreFewerOnlyInTheShortRun(t *testing.T) {
	if given("rapid.checks") {
		t.Skip("the command line says how many checks are made, or this test did, in a round before")
	}
	checks := flag.Lookup("rapid.checks").Value
	was := checks.String()
	t.Cleanup(func() { _ = flag.Set("rapid.checks", was) })
	t.Setenv("PAPERFS_TEST", "all")
	Checks(3)
	assert.Equal(t, was, checks.String())
	t.Setenv("PAPERFS_TEST", "")
	Checks(3)
	assert.Equal(t, "3", checks.String())
}

// TestAShortRunTakesTheNamedTests checks that a list chooses tests in a stranger's run alone, yields to -run, and
// names a test that is not there.
func TestAShortRunTakesTheNamedTests(t *testing.T) {
	run := flag.Lookup("test.run").Value
	was := run.String()
	t.Cleanup(func() { _ = flag.Set("test.run", was) })
	t.Setenv("PAPERFS_TEST", "all")
	Short("TestThatIsNotThere")
	assert.Equal(t, was, run.String(), "everything")
	t.Setenv("PAPERFS_TEST", "")
	if given("test.run") {
		Short("TestThatIsNotThere")
		assert.Equal(t, was, run.String())
		return
	}
	assert.PanicsWithValue(t, "no test is named TestThatIsNotThere: the list for the short run names it", func() { Short("TestThatIsNotThere") })
	Short("TestAShortRunTakesTheNamedTests", "TestChecksAreFewerOnlyInTheShortRun")
	assert.Equal(t, "^(TestAShortRunTakesTheNamedTests|TestChecksAreFewerOnlyInTheShortRun)$", run.String())
}
