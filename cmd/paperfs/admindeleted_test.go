package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestTheOperatorRestoresAndPurges deletes and replaces in a mount what the operator then lists, restores and purges,
// while the service runs.
func TestTheOperatorRestoresAndPurges(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	deleted := func(args ...string) string { return e.succeed(append([]string{"admin", "deleted"}, args...)...) }
	e.must("mkdir -p media/logos papers/A/S.paper && echo one > media/logos/a && echo two > media/page && echo three > media/page")
	e.must("cat papers/A/S.paper/id > ../id; rm -r media/logos; rmdir papers/A/S.paper papers/A")
	require.Regexp(t, `^ENTRY +KIND +WHAT +WHEN +ACCOUNT +SIZE +PATH +NAME\n.*category +deleted .* /papers/a +A\n`, deleted("list"))
	entry := map[string]string{}
	for _, line := range e.deletedEntries("list") {
		entry[fmt.Sprint(line["kind"], " ", line["name"])] = fmt.Sprint(line["entry"])
		require.Equal(t, "default", line["tenant"])
	}
	require.Len(t, entry, 5)
	require.Len(t, e.deletedEntries("list", "--path", "/media/logos", "--since", "1h"), 2)
	require.Len(t, e.deletedEntries("list", "--path", "media/logos/"), 2)
	require.Empty(t, e.deletedEntries("list", "--path", "/media/pictures"))

	deleted("restore", entry["file a"], entry["paper S"])
	e.succeed("refresh", e.path("ipaper"))
	e.must("test $(cat media/logos/a) = one; cmp papers/A/S.paper/id ../id")
	restored := e.deletedEntries("restore", entry["file page"])
	require.Len(t, restored, 1)
	e.succeed("refresh", e.path("ipaper"))
	e.must("test $(cat media/page) = two")
	newest := e.deletedEntries("list")[0]
	require.Equal(t, "paperfs admin", newest["account"], "what was there is kept, as the operator's")

	e.fail(cli.ExitFailure, "entry "+entry["file a"]+": There is no entry", "admin", "deleted", "restore", entry["file a"])
	e.must("echo other > media/logos/b; rm media/logos/a; mv media/logos/b media/logos/a")
	taken := fmt.Sprint(e.deletedEntries("list")[0]["entry"])
	e.fail(cli.ExitFailure, "another file is called a now", "admin", "deleted", "restore", taken)
	e.fail(cli.ExitFailure, "are for what was deleted", "admin", "deleted", "restore", "--name", "b", fmt.Sprint(newest["entry"]))
	e.fail(cli.ExitUsage, "--name is for one entry", "admin", "deleted", "restore", "--name", "b", taken, "1")
	e.fail(cli.ExitUsage, "paperfs admin deleted list", "admin", "deleted", "restore", "logos")
	e.fail(cli.ExitUsage, "--yes", "admin", "deleted", "purge", taken)
	e.fail(cli.ExitUsage, "--since", "admin", "deleted", "list", "--since", "soon")
	e.fail(cli.ExitFailure, "there is no tenant acme", "admin", "deleted", "list", "--tenant", "acme")
	require.Contains(t, deleted("restore", "--name", "first", taken), `restored file "first"`)
	e.succeed("refresh", e.path("ipaper"))
	e.must("test $(cat media/logos/first) = one")

	require.Contains(t, deleted("purge", "--yes", fmt.Sprint(newest["entry"])), "purged file")
	require.Empty(t, e.deletedEntries("list"))
}

// TestTheOperatorRestoresAPDF restores a PDF while the service runs, which processes it again.
func TestTheOperatorRestoresAPDF(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.program = plain(t)
	e.compiled(ownData)
	e.mount()
	for name, text := range map[string]string{"one": "first", "two": "second"} {
		require.NoError(t, os.WriteFile(e.path(name+".pdf"), pdftest.Text(text), 0o644))
	}
	for _, name := range []string{"one", "two"} {
		e.must("rsync -a ../" + name + ".pdf papers/S.pdf")
		e.succeed("wait", e.path("ipaper", "papers", "S.paper"))
	}
	entries := e.deletedEntries("list")
	require.Len(t, entries, 1)
	require.Equal(t, "pdf", entries[0]["kind"])
	require.NotEmpty(t, e.deletedEntries("restore", fmt.Sprint(entries[0]["entry"]))[0]["job"])
	require.Eventually(t, func() bool {
		e.succeed("refresh", e.path("ipaper"))
		text, err := e.sh("cat papers/S.paper/pages/001/text.txt")
		return err == nil && strings.Contains(text, "first")
	}, testrun.Patience(), time.Second)
}

// deletedEntries runs paperfs admin deleted with --json.
func (e *environment) deletedEntries(args ...string) []map[string]any {
	e.t.Helper()
	var entries []map[string]any
	text := e.succeed(append([]string{"admin", "deleted", "--json"}, args...)...)
	require.NoError(e.t, json.Unmarshal([]byte(text), &entries), text)
	return entries
}
