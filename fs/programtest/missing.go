package programtest

import (
	"regexp"
	"strings"
	"testing"

	"paperfs/remote/testrun"
)

// notFound is how bash and dash say that a program is not installed.
var notFound = regexp.MustCompile(`(?m)^(.*: command not found|.*: exec: .*: not found|sh: \d+: .*: not found)$`)

// RequirePrograms ends a test whose script has failed because a program is missing; see
// [testrun.Missing].
func RequirePrograms(t testing.TB, err error, said string) {
	t.Helper()
	if line := notFound.FindString(said); err != nil && line != "" {
		testrun.Missing(t, strings.TrimSpace(line))
	}
}
