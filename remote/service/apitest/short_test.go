package apitest

// short names the tests of a short run (testrun.Short): each operation, who may call it, and what is never lost. The
// others check each corner, hostile input, crowds, models, and what readers see in each form.
var short = []string{
	// The operations of the interface, and what they do to the tree.
	"TestEveryOperationByGetAndByPost", "TestEveryDocumentedCode", "TestTreeOrderAndAddresses",
	"TestAddressesAreFoundInAnyCase", "TestNames", "TestParents",
	"TestChangeURL", "TestDelete", "TestPublicationPeriod", "TestPreviewToken", "TestGetPaperStructure",
	"TestDigitImageTypes", "TestMediaTree", "TestMediaNames", "TestMediaDeletes", "TestMediaAddresses",
	"TestOverwriteKeepsIDAndSpelling", "TestContentOfAnySize", "TestReadersSeeOneVersion",
	"TestSettingsAreInherited", "TestSettingDescriptions", "TestSettingsRefused", "TestCustomFieldDefinitions",
	"TestCustomFieldValues", "TestSearchHierarchyByContent", "TestSearchPagesByContent",
	"TestSearchHierarchyByName", "TestSearchRefusals", "TestSearchTenants",
	"TestSearchByCustomFields", "TestGetFlipbookOrders", "TestGetLicenseOrders", "TestStatisticsRefused",
	"TestGetProcessingStatus", "TestPDFBecomesPages", "TestFilesThatAreNoPDFs",
	"TestProcessingOptionsThatAreWrong",
	// The wire.
	"TestPresenceOfParameters", "TestCredentialPairs", "TestWrongCredentials", "TestParameterSpelling",
	"TestHTTPFailures", "TestBodies", "TestLongestAddress", "TestOptions", "TestSOAPFaults",
	"TestEncodingsOfSOAP", "TestWSDL", "TestBase64", "TestJSONIsTheSameAnswer",
	"TestFailuresInJSON", "TestCDATAStylesMeanTheSame", "TestUnknownOptionsOfAPDFAreIgnored",
	"TestForwardedHeaders", "TestOpenAPIDescribesEveryOperation", "TestAnswersInXMLStay", "TestHelpPages",
	"TestTheLogHasTheStatusOfHEAD", "TestAFileIsSentWithoutCopies", "TestNoLingerForABodyThatIsNotSent",
	// Who may do what, and how often.
	"TestRoles", "TestTenants", "TestNoOperationReachesAnotherTenant", "TestReadOnlyWindow", "TestRateLimit",
	"TestAnAddressHasARate", "TestRememberedCallerIsRefusedAtOnce", "TestRotatedKey", "TestStrangersAreCounted",
	"TestMediaQuota", "TestPaperQuota", "TestPDFQuota",
	"TestSigningIn", "TestASessionEnds", "TestALinkSignsInOnce", "TestOnlyThePageReadsItsCookie", "TestForeignRequestsChangeNothing",
	"TestCallsOfThePage",
	// Conditions, versions, and what is kept.
	"TestAPDFMakesItsPaper", "TestEveryChangeOfANodeIsJudged", "TestUploadIfVersion", "TestOneOfManyUploadsHasItsVersion", "TestDeleteIfVersion", "TestMoveIfVersion",
	"TestProcessPDFIfVersion", "TestVersionsAreTold", "TestVersions", "TestCurlKeepsATree",
	"TestOffers",
	// Extended operations, and what others do.
	"TestMoveFile", "TestMoveDirectory", "TestRenamePaper", "TestNoMovesWithoutExtensions", "TestGetContent",
	"TestGetLinks", "TestGetDeleted", "TestRestoreMedia", "TestRestoreAll", "TestADeletedPaperAnswersNobody",
	"TestAReplacedPDFComesBack", "TestEveryChangeIsTold", "TestOwnChangesAreNotTold", "TestTenantsAreToldApart",
	"TestAHeldRequestEndsWithItsAccountKeyOrService", "TestManyChangesAreATree",
	"TestWebhookIsToldOfItsOwnEvents",
	// What is never lost: kills, power cuts, full disks, data without its other half.
	"TestAnsweredChangesSurviveAKill", "TestAnsweredChangesAreSynced", "TestDiskFull", "TestBodyThatEndsEarly",
	"TestRaces", "TestRefusedPDFLeavesNothing", "TestFirstStart", "TestSecondService",
	"TestUnusableDatabase", "TestRecordsWithoutContent", "TestAServiceGoesOnWithItsContent",
	"TestAStartNamesEachDamagedFile", "TestCheckFindsWhatIsWrong", "TestBackupIsIncremental",
	"TestMissingContentIsAnError", "TestBackupRefusesABackupThatWasServed",
	// What an operator does.
	"TestImport", "TestImportOfABadFile", "TestAdminNeedsData", "TestAccounts", "TestLogHasNoCredentials",
	"TestRemoveTenant",
	// What readers see.
	"TestAReaderIsAskedForOnce", "TestPaperPage", "TestCategoryPage", "TestPageByPreviewToken",
	"TestImagesAreAtTheirAddresses", "TestTheReadersPolicy", "TestLinksAreHotspots", "TestDownload",
	"TestViewsAreCounted", "TestViewsByPage", "TestOrderIsRecorded", "TestShelfShowsCovers",
	"TestShelfTellsNothingOfWhatIsHidden", "TestSearchEnginesAreTold",
}
