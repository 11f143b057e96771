// Package testrun says how far a run of the tests goes, for the tests of all packages:
//
//	go test ./...                 the stranger's run: what a user does first, in minutes; see Short
//	PAPERFS_TEST=all go test …    everything: kills at each step, random hours, browsers, nodes, long PDFs
//	PAPERFS_TEST_STRICT=1         .ci/run: a missing program fails the test that needs it, instead of skipping it, and
//	                              tests wait as long as in a run of everything
//
// There are no locks: the functions read the environment and the machine.
package testrun

import (
	"os"
	"os/exec"
	"testing"
)

// All reports whether this run has time for everything.
func All() bool { return os.Getenv("PAPERFS_TEST") == "all" }

// Long skips a test that takes long, unless this run has time for everything. why says what
// takes long, as "kills the mount at each step".
func Long(t testing.TB, why string) {
	t.Helper()
	if !All() {
		t.Skipf("runs with PAPERFS_TEST=all: it %s", why)
	}
}

// OneWay reports whether a row of a table runs in this one of its two ways: a run that has time for everything
// runs it in both, another in one of them, so that each row runs and about as many run in either way.
func OneWay(row string, second bool) bool { return All() || len(row)%2 == 1 == second }

// strict reports whether this run is that of .ci/run.
func strict() bool { return os.Getenv("PAPERFS_TEST_STRICT") == "1" }

// Missing ends a test that cannot run on this machine: it skips it, or fails it in a strict run.
func Missing(t testing.TB, what string) {
	t.Helper()
	if strict() {
		t.Fatalf("%s is missing", what)
	}
	t.Skipf("%s is missing", what)
}

// Program returns the path of the first of the programs that is installed. If there is none, the
// test cannot run here; see Missing.
func Program(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(t, names[0])
	return ""
}
