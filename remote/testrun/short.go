package testrun

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Short lets a stranger's run take only the named tests of a package, whose tests are too many for its
// minutes: what a user of it does first, and what must never break. All of them run in .ci/run, with
// PAPERFS_TEST=all, and where the command line names tests (-run). A package calls it in TestMain, and
// in its own folder; a name that no test there has is an error.
func Short(tests ...string) { choose("test.run", tests) }

// ShortWithout lets a stranger's run leave out the named tests, which are dear. All else is as with Short.
func ShortWithout(tests ...string) { choose("test.skip", tests) }

// choose sets a flag that names tests, as the command line could.
func choose(name string, tests []string) {
	if All() || given("test.run") || given(name) {
		return
	}
	there := testsHere()
	for _, test := range tests {
		if !there[test] {
			panic(fmt.Sprintf("no test is named %s: the list for the short run names it", test))
		}
	}
	preset(name, "^("+strings.Join(tests, "|")+")$")
	fmt.Printf("-%s names %d of the %d tests here; all run with PAPERFS_TEST=all, and any with -run\n", name, len(tests), len(there))
}

var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w+)\(`)

// testsHere returns the names of the tests in the files of this folder.
func testsHere() map[string]bool {
	files, _ := filepath.Glob("*_test.go")
	names := map[string]bool{}
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, found := range testFunction.FindAllSubmatch(text, -1) {
			names[string(found[1])] = true
		}
	}
	delete(names, "TestMain")
	return names
}
