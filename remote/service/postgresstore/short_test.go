package postgresstore_test

// short names the tests that a short run takes (testrun.Short): that no change reaches another tenant, and
// that content with a record stays. What all engines promise is tested over SQLite then: here each test needs a database.
var short = []string{
	"TestAChangeIsOfOneTenant", "TestContentThatARecordNamesStays",
	"TestASilentServerIsNotTriedOnEachConnection",
}
