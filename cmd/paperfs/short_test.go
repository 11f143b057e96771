package main

// notShort names the tests that a short run leaves out (testrun.ShortWithout): each costs a second of processor or
// more, starts other servers, or checks a corner of what another test here or of fs/mounttest holds.
var notShort = []string{
	// Mounts that end, are shared, or belong to others.
	"TestAMountKilledWhileItReads", "TestAMountSharedBySamba", "TestAMountSharedByWebDAV", "TestMountedByMount", "TestMountBehindNginx",
	"TestMountAsAnOrdinaryUser", "TestCommandsAtTheMountOfAnotherUser", "TestProfilesOfSeveralServices",
	"TestDoctorOfAMountThatIsKilled", "TestAnUnmountDuringADownload", "TestAnUnmountDuringAChange", "TestProgramsThatAMountStartsInheritNoFiles",
	"TestTheLimitCountsTheMountBefore", "TestALargeFileIsStoredOnce", "TestWhatIsHandedOverOutlivesAKill",
	"TestAnUploadedFileHasItsAddress", "TestURLTellsWhereReadersFindIt", "TestSecretsAreNowhere", "TestPasswordInTheDesktopsKeyring",
	// Data and state that are lost or full.
	"TestDataThatIsReplaced", "TestDeletingMakesRoom",
	"TestStateThatIsRemovedUnderAMount", "TestAClearedCacheLosesNoPDF", "TestStateThatIsEmptiedUnderAMount",
	"TestWhatIsKeptCannotMakeRoomWhereNothingCanBeWritten", "TestTheEndNamesWhatOnlyThisMachineHas",
	// What was deleted or replaced.
	"TestAPDFThatUndoBringsBackCanBeRead", "TestAnEarlierPDFComesBackByItsEntry", "TestAPDFThatWasReplacedComesBack", "TestAnUndoWhoseAnswerIsLost",
	"TestAnUndoOfAPDFWhoseAnswerIsLost", "TestContentAfterAnUndoIsNoConflictWithIt", "TestPapersThatWereRemovedComeBack",
	"TestUndoKnowsPapersByTheirIds", "TestUndoSaysWhatItCannot", "TestUndoSaysWhatIsWhere", "TestUndoRefusesWhatIsNotMeant",
	"TestAWriteOutThatEndsEarly", "TestAnEntryThatIsGone", "TestWhatOthersTookAwayIsListed", "TestUndoKnowsTheMountItIsIn",
	"TestUndoGoesFurtherBackEachTime", "TestUndoUnderAnOpenWriter",
	// Commands that tell, wait and retry.
	"TestWaitingForACategoryWaitsForItsPages", "TestAWaitNamesWhatDidNotArrive", "TestAWaitForNothing",
	"TestAWaitNamesWhatTheServiceStillProcesses", "TestADiscardThatFailsSaysWhy", "TestARetryThatFailsSaysWhy", "TestADiscardOfNothingSaysSo",
	"TestWhyAfterAKill", "TestWhyOfARefreshWithoutAService", "TestWhyAProgramCannotReplaceAValue", "TestLocalPatterns", "TestDownloadsAreTold",
	"TestOutputThatIsLostIsAFailure", "TestACommandInASilentMountCanBeEnded",
	// The service, its operator, and its nodes.
	"TestTwoNodesAreOneService", "TestAdminCommandsSayWhatServeSays", "TestAdminCommandsWhileContentIsAway",
	"TestTheOperatorAddsAWebhook", "TestEventsSurviveKills", "TestEveryAdminCommandSpeaksJSON",
	"TestACustomFieldIsDefined", "TestCheckOfWhatCannotBeChanged", "TestTenantsAreSetSideBySide", "TestPlacesThatAreNone",
	"TestOptionsOfPDFsAreCheckedAtTheStart", "TestAKeyThatIsRotatedUnderAMount", "TestNginxAsksTheNextNode",
	"TestTheExamplePublishesAFolder", "TestTheExamplePrintsOrders", "TestTheExampleMakesBackups", "TestTheExampleReceivesEvents",
	"TestEachLineOfServeIsJSON", "TestAdminBackupAndCheck",
	// Corners of what a test that stays holds.
	"TestAdminRemovesATenant", "TestAdminQuotas", "TestAdminPlacesThatDoNotFit",
	"TestAdminWorksBesideARunningService", "TestDaemonIsInterrupted", "TestLogGoesToAFileOrTheJournal",
	"TestCompletion", "TestMountsThatTheServiceDoesNotAllow",
	"TestEntriesCostAListingAndOneRequestEach", "TestEntriesAreRemovedForGood",
	"TestUndoCostsFourRequests", "TestHangupReadsTheCertificateAgain", "TestSignalWhileSomethingHoldsTheMount",
	"TestAnAddressWithoutServiceIsExplainedOnce", "TestAMountThatIsStopped", "TestStrangersCostLittle",
	"TestServeLimitsAnAddress", "TestMountOutlivesTheReaderOfItsLog", "TestAMountWhoseLogNothingReadsEnds",
	"TestHintsCanBePasted",
	"TestPasswordCommand", "TestServiceDatabaseThatIsDamaged",
	"TestIgnoredHangupStaysIgnored", "TestDoctorAsksTheServiceOnce",
	"TestTheAddressOfAFileAfterItsUpload", "TestAMountTellsItsManagerWhatAStopSends",
	"TestAMountThatNobodyKnowsIsLeftAlone",
	"TestStateThatIsDamaged", "TestTheServiceOfItsTopic", "TestConfigAddAsksOnATerminal", "TestThePictureOfTheReadmeIsOfThisProgram",
}
