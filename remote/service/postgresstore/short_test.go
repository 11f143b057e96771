package postgresstore_test

// short names the tests that a short run takes (testrun.Short): that the engine keeps the promises of all engines, that
// no change reaches another tenant, and that content with a record stays. Each needs a database of its own.
var short = []string{
	"TestEngine", "TestAChangeIsOfOneTenant", "TestContentThatARecordNamesStays",
	"TestASilentServerIsNotTriedOnEachConnection",
}
