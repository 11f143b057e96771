//go:build race

package mounttest

// buildFlags builds the mounted program with the race detector, like the tests.
var buildFlags = []string{"-race"}

// sideBySide is how many of these tests run at the same time. They compute more than without the race detector.
const sideBySide = 8
