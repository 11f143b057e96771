//go:build race

package fs_test

// buildFlags builds the mounted program with the race detector, like the tests.
var buildFlags = []string{"-race"}
