package media_test

// short names the tests of a short run (testrun.Short): what programs do all day in media/, and what is never lost.
// The others check each way, each moment and each program.
var short = []string{
	// Programs read, write, lock, map and rename as on a disk.
	"TestGestures", "TestLocks", "TestRefusals", "TestDeletingAndRenaming",
	"TestWritersByMapping", "TestZip", "TestProgramsThatSaveByMoves",
	// Temporary names stay on this machine.
	"TestUnfinishedNamesStayHere",
	// What is read is fetched, once, and is of one version.
	"TestASecondReadAsksForNothing", "TestAnOpenOfWhatAColleagueReplacedShowsOneVersion",
	"TestContentIsNoLongerThanTold",
	// A program that is killed publishes nothing, one that ends publishes everything.
	"TestKilledWritersPublishNothing", "TestWhatEndsNormallyIsPublished",
	"TestKilledIsTold", "TestOtherSignalsChangeNothing",
	// The queue outlasts the service and the mount.
	"TestWriteBackWhileTheServiceIsAway", "TestFailingUploads", "TestRemount",
	// What a colleague changes shows, and is not overwritten unseen.
	"TestAColleaguesVersionIsNeverOverwrittenUnseen", "TestAConflictIsPublishedBeside",
	"TestItsOwnUploadIsNoConflict", "TestTheSameContentIsNoConflict",
	"TestAMoveReplacesNoVersionThatTheMountDoesNotShow",
	// Where there is no room, the program is told.
	"TestAFullServiceIsENOSPC", "TestAQuotaIsEDQUOT", "TestNoRoomInWords",
	// A gesture costs one request.
	"TestAFileIsOneRequest", "TestAMoveOverAFileIsOneRequest", "TestWhereVersionsAreComparedAChangeIsOneRequest",
}
