package testrun

import (
	"flag"
	"strconv"
)

// SideBySide lets n tests of a package run at the same time, unless the command line says how
// many. A package whose tests wait more than they compute calls it in TestMain.
func SideBySide(n int) {
	if !flag.Parsed() {
		flag.Parse()
	}
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", strconv.Itoa(n)) // testing has defined it
	}
}
