package testrun

import (
	"flag"
	"strconv"
)

// SideBySide lets n tests of a package run at the same time, unless the command line says how
// many. A package whose tests wait more than they compute calls it in TestMain.
func SideBySide(n int) { preset("test.parallel", strconv.Itoa(n)) }

// preset sets a flag of the test, unless the command line does.
func preset(name, value string) {
	if !given(name) {
		_ = flag.Set(name, value) // its package has defined it
	}
}

// given reports whether the command line sets a flag of the test.
func given(name string) (set bool) {
	if !flag.Parsed() {
		flag.Parse()
	}
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}
