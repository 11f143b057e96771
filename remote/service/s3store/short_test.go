package s3store

// short names the tests that a short run takes (testrun.Short): that the engine keeps the promises of all engines, and what
// it says of a wrong configuration.
var short = []string{
	"TestContents", "TestPlaces", "TestCredentialsAreNeeded", "TestCredentialsOfAFile", "TestAWrongKeyIsSaid", "TestABucketThatIsMissingIsSaid",
	"TestAFullObjectStoreIsToldFromOneThatIsAway", "TestRequestsAreSentAgain",
}
