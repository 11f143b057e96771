package fullcopy_test

// notShort names the tests that a short run leaves out (testrun.ShortWithout): copies that are disturbed, each with
// databases and an object store of its own.
var notShort = []string{
	"TestContentReplacedDuringACopyIsNotMissing", "TestACopyToADiskThatIsFull", "TestACopyOfWhatNodesGoOnChanging",
	"TestACopyThatFailsHasNoRecordsBeforeTheirContent", "TestACopyThatIsCutShort", "TestAnEmptyCopyIsNotServed", "TestServedDataIsNoSource",
	// Targets that are refused, sides that rot.
	"TestOtherDataIsNoTarget", "TestATargetThatRots", "TestASourceThatRots", "TestRecordsThatWereCopiedBefore",
}
