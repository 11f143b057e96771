//go:build !race

package mounttest

var buildFlags []string

// sideBySide is how many of these tests run at the same time: they mostly wait.
const sideBySide = 12
