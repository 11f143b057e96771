package testrun

import "strconv"

// Checks lets the models of a package (package rapid) make n checks each, unless this run has time
// for everything or the command line says how many. A package whose checks open a database or a
// mount calls it in TestMain.
func Checks(n int) {
	if !All() {
		preset("rapid.checks", strconv.Itoa(n))
	}
}
