//go:build race

package main

// buildFlags builds the command under test with the race detector, like the tests.
var buildFlags = []string{"-race"}
