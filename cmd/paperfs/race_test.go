//go:build race

package main

// buildFlags: under the race detector the command that is tested runs under it
// as well.
var buildFlags = []string{"-race"}
