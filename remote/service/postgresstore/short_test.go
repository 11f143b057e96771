package postgresstore_test

// short names the tests that a short run takes (testrun.Short): that the engine keeps the promises of all engines, and
// what becomes of a change whose outcome is unknown. Each needs a database of its own.
var short = []string{
	"TestEngine", "TestPostgreSQLIsAway", "TestTheOutcomeOfACommitIsLookedUp", "TestAChangeIsOfOneTenant", "TestContentThatARecordNamesStays",
	"TestASilentServerIsNotTriedOnEachConnection",
}
