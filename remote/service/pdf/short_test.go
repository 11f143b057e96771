package pdf

// notShort names the tests that a short run leaves out (testrun.ShortWithout): pages that take long or much memory, and
// the bounds and places of what is on one.
var notShort = []string{
	// A page that costs too much.
	"TestPageThatTakesForEverIsKilled", "TestTooMuchMemoryIsAFailure", "TestOnlyAWorkersOwnTimeCounts",
	"TestCompilingIsNoPage",
	// Bounds, places, attachments.
	"TestAttachedTables", "TestNamesHaveABound", "TestLimitsOfTextAndLinks", "TestLinesHaveABound",
	"TestLinksLieWhereTheyAreShown", "TestPagesOfFiveMetresAndThreads",
}
