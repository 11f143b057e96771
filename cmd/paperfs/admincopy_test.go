package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestAdminCopiesADataDirectoryToNodesAndBack checks that clients continue with their keys, ids and
// addresses.
func TestAdminCopiesADataDirectoryToNodesAndBack(t *testing.T) {
	c := withoutRecords(t)
	p, env := c.serving()
	file := testrun.Must(filepath.Abs("../../remote/service/testdata/import.xml"))(t)
	c.succeed("admin", "--data", c.path("data"), "import", file)
	_, body := c.ask(env, "Media", "UploadFile", "parentID", "0", "name", "large", "base64File", strings.Repeat("AAAA", 100_000))
	require.Contains(t, body, "SUCCESS")
	tree := func(env map[string]string) string {
		_, papers := c.ask(env, "Paper", "GetAllPapers", "paperID", "1")
		_, media := c.ask(env, "Media", "GetTree")
		return strings.ReplaceAll(papers+media, env["PAPERFS_URL"], "")
	}
	want := tree(env)
	there := []string{"admin", "copy", "--from", c.path("data"), "--to", c.database, c.objects}
	c.fail(cli.ExitDataHeld, "is already being served by process", there...)
	p.ends(syscall.SIGTERM)

	require.Regexp(t, `^records: \d+ copied; contents: 1 copied \(\d+ KiB\), 0 there already\n$`, c.succeed(there...))
	require.Equal(t, "records: all there already; contents: 0 copied (0 B), 1 there already\n", c.succeed(there...))
	c.key = env["PAPERFS_PASSWORD"]
	n, one := c.node("one")
	require.Equal(t, want, tree(one))
	require.Len(t, c.download(strings.ReplaceAll(tree(one), `url="`, `url="`+one["PAPERFS_URL"]), "large"), 300_000)
	require.Contains(t, c.admin("check", "--deep"), "faults of records: 0, missing: 0, wrong: 0")
	_, body = c.ask(one, "Media", "CreateDirectory", "parentID", "0", "name", "new")
	require.Contains(t, body, "SUCCESS")
	c.fail(cli.ExitFailure, "it already has records that are not a copy of these", there...)
	want = tree(one)
	n.ends(syscall.SIGTERM)

	c.succeed("admin", "copy", "--from", c.database, c.objects, "--to", c.path("back"))
	require.Contains(t, c.succeed("admin", "--data", c.path("back"), "check", "--deep"), "checked contents: 1, fixed: 0, faults of records: 0, missing: 0, wrong: 0")
	back := c.start("serve", "--data", c.path("back"), "--listen", "127.0.0.1:0")
	_, env["PAPERFS_URL"], _ = strings.Cut(back.says("paperfs: serving "), " at ")
	require.Equal(t, want, tree(env))

	c.fail(cli.ExitFailure, "holds no service data", "admin", "copy", "--from", c.path("none"), "--to", c.database, c.objects)
}

// TestAdminPlacesThatDoNotFit checks that the places of a service are checked before anything is reached.
func TestAdminPlacesThatDoNotFit(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	const database, objects = "postgres://me@127.0.0.1:1/papers", "s3://127.0.0.1:1/bucket"
	for _, row := range []struct {
		says string
		args []string
	}{
		{"give both --from and --to", []string{"copy", "--from", e.path("data")}},
		{"name both places with", []string{"--database", database, "copy", "--from", "a", "--to", "b"}},
		{"have backups of their own", []string{"--database", database, "backup", e.path("backup")}},
		{"restore from a backup what is missing", []string{"--database", database, "--objects", objects, "check", "--fix"}},
		{"give --objects", []string{"--database", database, "check"}},
		{"give one of them", []string{"--database", database, "--data", e.path("data"), "account", "list"}},
		{"give --database", []string{"--objects", objects, "account", "list"}},
		{"give --database", []string{"init"}},
	} {
		e.fail(cli.ExitUsage, row.says, append([]string{"admin"}, row.args...)...)
	}
	require.Empty(t, testrun.Must(os.ReadDir(e.home))(t), "a refused command leaves nothing")
}
