package media

// notShort names the tests that a short run leaves out (testrun.ShortWithout): they kill a process, or cut the power, at
// many steps.
var notShort = []string{
	"TestPowerCut", "TestAMoveAtTheServiceThatAKillCut",
	"TestACutUploadHasNoLateEffectWhereVersionsAreCompared", "TestAnUploadThatTheEndOfTheProcessCutIsChecked",
	"TestUploadsThatAKillCutsAreToldAsTheTableSays", "TestQueuedContentIsSentUntilItsRewritingIsClosed", "TestContentThatTheDiskLost",
}
