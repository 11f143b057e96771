package main

import (
	"testing"

	"paperfs/cmd/paperfs/cli"

	"github.com/stretchr/testify/require"
)

// TestACustomFieldIsDefined checks that a field that `paperfs admin field add` defines can be written
// in a mount of the embedded service, and what list and remove do.
func TestACustomFieldIsDefined(t *testing.T) {
	e := newEnvironment(t)
	e.mount()
	admin := func(args ...string) string {
		return e.succeed(append([]string{"admin", "field"}, args...)...)
	}
	e.must(`mkdir papers/X.paper; test -z "$(ls papers/X.paper/fields)"`)
	_, err := e.sh(`echo v > papers/X.paper/fields/Season`)
	require.Error(t, err)
	require.Contains(t, e.succeed("why", e.path("ipaper", "papers/X.paper/fields/Season")), "paperfs admin field add NAME")
	admin("add", "Season")
	admin("add", "PageTarget", "--type", "int")
	e.fail(cli.ExitFailure, "already has a custom field Season", "admin", "field", "add", "Season")
	e.fail(cli.ExitUsage, "--type", "admin", "field", "add", "Other", "--type", "colour")
	require.Regexp(t, `NAME +TYPE\nPageTarget +int\nSeason +string\n`, admin("list"))
	e.succeed("refresh", e.path("ipaper"))
	e.must(`cd papers/X.paper/fields; until test "$(echo *)" = "PageTarget Season"; do :; done; echo spring > Season; test "$(cat Season)" = spring`)
	e.fail(cli.ExitUsage, "--yes", "admin", "field", "remove", "Season")
	admin("remove", "Season", "--yes")
	require.NotContains(t, admin("list"), "Season")
}
