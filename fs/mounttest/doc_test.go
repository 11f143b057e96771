// Package mounttest has the tests of package fs that mount the whole tree: the program beside a real
// service, with real programs. A file is named after what it is about; harness_test.go starts a mount.
package mounttest
