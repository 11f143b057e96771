package apitest

// notShort names the tests that a short run leaves out (testrun.ShortWithout): each costs a second of processor or
// more, by kills of the service, real clients, or PDFs of many pages.
var notShort = []string{
	// Kills, lost workers, interrupted jobs.
	"TestKilledWorkerIsTriedAgain", "TestKillsOfTheServiceAreNotTheFaultOfAPDF", "TestJobsSurviveKillOfTheService",
	"TestDocumentThatKillsTheServiceIsGivenUp", "TestAJobThatAnotherTookOver", "TestFailedJobLeavesThePaperAsItWas",
	"TestARestoreThatIsKilledIsAllOrNothing", "TestEnrichmentFails", "TestWaitingJobsSurviveARestart",
	// Strangers, deaf clients, real clients.
	"TestManyWhoDoNotRead", "TestSOAPClients", "TestEarlyAnswersReachOrdinaryClients", "TestNothingStandsStill",
	"TestNoDeafStrangerHoldsUpTheEnd", "TestAReaderWhoLeavesKeepsNobodyWaiting", "TestReceiversThatDoNotAccept", "TestNoStrangerHoldsUpTheEnd",
	"TestRecipesSendLargeFiles", "TestWebhookIsToldOfEveryEvent",
	// Pages, and what they cost.
	"TestPapersGoBeforeLargerPictures", "TestALargerPictureIsForThoseWhoSeeThePaper", "TestAClientThatLeavesEndsItsLargerPicture",
	"TestProcessingOptions", "TestTitlesOfBookmarks", "TestNewVersionComesInOneStep", "TestATableThatCannotBeReadSellsWhatWasSold",
	"TestALargerPictureIsMadeAsTheStoredOne", "TestALargerPictureIsServedAsTheStoredOnes", "TestALargerPictureWithoutItsSource",
	"TestRequestsShareALargerPicture", "TestKeptPagesAreThoseOfNow", "TestContentsHaveABound", "TestALongPDFHoldsUpNoOtherTenant", "TestLinksOfAPDFHaveNames",
	"TestAProductThatTheNewestTableLacksIsNotSold", "TestTwoLongPDFsHoldUpNoThirdTenant", "TestManyReadersOfAPaperAreOneRendering",
	"TestEachChangeThatAPageShowsGivesItAnotherETag",
	// Stores of others.
	"TestRoundTripsToPostgreSQLDoNotGrow", "TestMediaAndPDFsInAnObjectStore", "TestAnObjectStoreThatIsAway",
	"TestAPDFWaitsForAnEngineThatIsAway",
	// Whole services that are checked, copied, or changed meanwhile.
	"TestCheckWritesNothing", "TestTenantThatIsRemovedMeanwhile", "TestContentWithoutItsDatabaseIsNotWorkedOn",
	"TestBackupWhileItIsWrittenTo", "TestRecordsWithoutContent", "TestFailureInside",
}
