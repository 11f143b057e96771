package s3store

// short names the tests that a short run takes (testrun.Short): that the engine keeps the promises of all engines, what it
// says of a wrong configuration, and what a lost answer leaves.
var short = []string{
	"TestContents", "TestPlaces", "TestCredentialsAreNeeded", "TestCredentialsOfAFile", "TestAWrongKeyIsSaid", "TestABucketThatIsMissingIsSaid",
	"TestALostAnswerIsLookedUp", "TestAFullObjectStoreIsToldFromOneThatIsAway", "TestRequestsAreSentAgain",
}
