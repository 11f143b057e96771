package mounttest

// short names the tests of a short run (testrun.Short): the gestures of a user and what they cost, what others
// change, and what a kill, an outage and a conflict must not lose. The others check each corner of that.
var short = []string{
	// Media, papers, documents.
	"TestCopiesArriveByteForByte", "TestOverwriteKeepsTheID", "TestAFailingUploadMakesCpFailTwiceInARow", "TestTemporaryNamesStayHere",
	"TestEditorsSaveOnce", "TestEmptyFilesArrive", "TestNothingIsDeletedWithoutTheFlag", "TestAPaperIsNotDeletedByRmR",
	"TestMkdirCreatesCategoriesAndPapers", "TestFindWalksTheTree", "TestMvMovesPapersAndCategories", "TestInodeNumbersStay",
	"TestWritingURLChangesTheAddress", "TestByIDAndByURL", "TestMissesAreRemembered", "TestPublicationPeriod", "TestSettings",
	"TestDocuments", "TestPages", "TestSearches", "TestCustomFields", "TestJobs", "TestShellsReportARefusedValue",
	// PDFs.
	"TestPublishingAPDF", "TestAFileThatIsNoPDFIsRefusedAtTheClose", "TestAKilledCopyPublishesNothing", "TestAFolderOfPDFs",
	"TestAFileThatIsNoPDFMakesNoPaper", "TestAPDFThatIsRefusedLeavesTheOneBefore", "TestWaitWaitsForAPDF",
	// Renames and removals.
	"TestLinksFollowARename", "TestARenameReplacesNothing", "TestRmdirOfACategoryIsOneRequest", "TestMovesBelowThemselves",
	// What it costs.
	"TestWalkingEverythingCostsAtMostFiveColdAndNothingWarm", "TestARemountAsksForTheTreeOnce", "TestWhatTheCatalogueKnowsCostsNothing",
	"TestChangesCostOneEachAndPatchTheTree", "TestMediaCostsOneUploadAFileAndNothingForWhatIsThere", "TestProbesCostNothing",
	"TestAnOpenFileNeedsOneDescriptor",
	// What others change.
	"TestNamesThatOthersMakeAppear", "TestNamesThatOthersDeleteVanish", "TestMediaThatOthersDeleteVanishes",
	"TestAColleaguesPDFReplacesWhatWasSentFromHere", "TestAQueuedPDFReplacesNoColleagues", "TestAMountCatchesUp",
	// Interrupts, kills, outages, failures.
	"TestAnInterruptedUploadIsFinishedBehind", "TestAChangeGoesOnWhenItsCallerIsKilled", "TestAMountThatIsKilledWhileAPDFIsSent",
	"TestNoCommandWaitsForADeadMount", "TestAResetIsAServiceThatIsAway", "TestWriteBackQueuesAndSendsBehind",
	"TestRetryOfAllThatFailed", "TestDiscardNamesThePath", "TestWhatCannotBeEndedIsSaid",
}
