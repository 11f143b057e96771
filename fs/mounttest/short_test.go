package mounttest

// short names the tests of a short run (testrun.Short): the gestures of a user and what they cost, what others
// change, and what a kill, an outage and a conflict must not lose. The others check each corner of that.
var short = []string{
	// Media, papers, documents.
	"TestCopiesArriveByteForByte", "TestAFailingUploadMakesCpFailTwiceInARow",
	"TestNothingIsDeletedWithoutTheFlag",
	"TestMkdirCreatesCategoriesAndPapers", "TestFindWalksTheTree", "TestMvMovesPapersAndCategories",
	"TestWritingURLChangesTheAddress", "TestMissesAreRemembered", "TestPublicationPeriod", "TestSettings",
	"TestDocuments", "TestPages", "TestCustomFields", "TestJobs", "TestShellsReportARefusedValue",
	// PDFs.
	"TestPublishingAPDF", "TestAFileThatIsNoPDFIsRefusedAtTheClose", "TestAKilledCopyPublishesNothing",
	"TestAFileThatIsNoPDFMakesNoPaper", "TestReadersOfAPDFThatIsRefused", "TestWaitWaitsForAPDF",
	// Renames and removals.
	"TestRmdirOfACategoryIsOneRequest",
	// What it costs.
	"TestWalkingEverythingCostsAtMostFiveColdAndNothingWarm", "TestARemountAsksForTheTreeOnce", "TestWhatTheCatalogueKnowsCostsNothing",
	"TestChangesCostOneEachAndPatchTheTree", "TestMediaCostsOneUploadAFileAndNothingForWhatIsThere",
	// What others change.
	"TestNamesThatOthersMakeAppear", "TestNamesThatOthersDeleteVanish", "TestMediaThatOthersDeleteVanishes",
	"TestAQueuedPDFReplacesNoColleagues",
	// Interrupts, kills, outages, failures.
	"TestAChangeGoesOnWhenItsCallerIsKilled",
	"TestWriteBackQueuesAndSendsBehind",
}
