//go:build race

package fs_test

// The mounted program is built as the tests are.
var buildFlags = []string{"-race"}
