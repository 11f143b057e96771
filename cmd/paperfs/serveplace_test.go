package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/testrun"
)

// TestPlacesThatAreNone checks that the error for invalid options says which one is wrong, and
// contains no secret.
func TestPlacesThatAreNone(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	const database, objects = "postgres://me@db.example/papers", "s3://s3.example/bucket/papers"
	for _, c := range []struct {
		says string
		args []string
	}{
		{"--database needs --objects", []string{"--database", database}},
		{"--database needs --scratch DIR", []string{"--database", database, "--objects", objects}},
		{"--objects is for a node that shares", []string{"--objects", objects}},
		{"--scratch is for a node that shares", []string{"--scratch", "s"}},
		{"--node is for a node that shares", []string{"--data", "d", "--node", "one"}},
		{"--data is for a service with a directory of its own", []string{"--database", database, "--objects", objects, "--scratch", "s", "--data", "d"}},
		{"--trash-days is for a service with a directory of its own", []string{"--database", database, "--objects", objects, "--scratch", "s", "--trash-days", "3"}},
		{"leave it out, and set PGPASSWORD, or PGPASSFILE", []string{"--database", "postgres://me:sesame@db.example/papers", "--objects", objects, "--scratch", "s"}},
		{"leave it out, and set PGPASSWORD, or PGPASSFILE", []string{"--database", database + "?password=sesame", "--objects", objects, "--scratch", "s"}},
		{"the form is postgres://USER@HOST/DATABASE", []string{"--database", "postgres://me:sesame%zz@db.example/papers", "--objects", objects, "--scratch", "s"}},
		{"the form is postgres://USER@HOST/DATABASE", []string{"--database", "mysql://me@db.example/papers", "--objects", objects, "--scratch", "s"}},
		{"the form is postgres://USER@HOST/DATABASE", []string{"--database", "postgres://db.example", "--objects", objects, "--scratch", "s"}},
		{"they belong in the environment or in a file", []string{"--database", database, "--objects", "s3://me:sesame@s3.example/bucket", "--scratch", "s"}},
		{"the form is s3://HOST/BUCKET/PREFIX", []string{"--database", database, "--objects", "https://s3.example/bucket", "--scratch", "s"}},
		{"--node", []string{"--database", database, "--objects", objects, "--scratch", "s", "--node", "a b"}},
		{"--jobs is -1: give at least 0", []string{"--jobs", "-1"}},
		{`--base-path "/a/../b": clients shorten it; give /b`, []string{"--base-path", "a/../b/"}},
		{"give a path without escapes", []string{"--base-path", "/a?b"}},
		{"give a path without escapes", []string{"--base-path", "/a%20b"}},
	} {
		code, _, stderr := e.run(append([]string{"serve", "--listen", "127.0.0.1:0"}, c.args...)...)
		require.Equal(t, cli.ExitUsage, code, stderr)
		require.Contains(t, stderr, c.says, c.args)
		require.NotContains(t, stderr, "sesame", c.args)
	}
	require.Empty(t, testrun.Must(os.ReadDir(e.home))(t), "a refused command creates nothing")
}

// TestEnginesThatCannotServe checks that the error says what is wrong and what to do, and contains
// no secret.
func TestEnginesThatCannotServe(t *testing.T) {
	c := newCluster(t)
	guarded, password := enginetest.GuardDatabase(t, c.database)
	c.do(`GRANT ALL ON ALL TABLES IN SCHEMA public TO guarded`)
	plain := c.vars
	with := func(vars ...string) []string { return append(slices.Clone(plain), vars...) }
	pass := c.path("pass")
	require.NoError(t, os.WriteFile(pass, []byte("*:*:*:guarded:"+password+"\n"), 0o600))
	for _, try := range []struct {
		says              string
		database, objects string
		vars              []string
	}{
		{"refuses the user guarded", guarded, c.objects, plain},
		{"set PGPASSWORD, or PGPASSFILE", guarded, c.objects, plain},
		{"the password of PGPASSWORD or PGPASSFILE may be wrong", guarded, c.objects, with("PGPASSWORD=sesame")},
		{"PostgreSQL cannot be reached now", "postgres://me@127.0.0.1:1/papers", c.objects, plain},
		{"there is no database nonetest", strings.Replace(c.database, "@/", "@/none", 1), c.objects, plain},
		{"the object store refuses the credentials", c.database, c.objects, with("AWS_SECRET_ACCESS_KEY=sesame")},
		{"there are no credentials for the object store", c.database, c.objects, with("AWS_ACCESS_KEY_ID=")},
		{"there is no bucket named elsewhere", c.database, strings.Replace(c.objects, "/paperfs/", "/elsewhere/", 1), plain},
		{"the object store cannot be reached now", c.database, "s3://127.0.0.1:1/bucket", plain},
	} {
		c.vars = try.vars
		code, _, stderr := c.run("serve", "--listen", "127.0.0.1:0", "--database", try.database, "--objects", try.objects, "--scratch", c.path("scratch"))
		require.Equal(t, cli.ExitFailure, code, stderr)
		require.Contains(t, stderr, try.says)
		require.NotContains(t, stderr, "sesame")
	}
	c.database = guarded
	for _, vars := range [][]string{with("PGPASSWORD=" + password), with("PGPASSFILE=" + pass)} {
		c.vars = vars
		c.node(filepath.Base(t.TempDir()))
	}
}

// TestDatabasesThatCannotBeSetUp checks that init leaves such databases unchanged.
func TestDatabasesThatCannotBeSetUp(t *testing.T) {
	c := withoutRecords(t)
	for options, says := range map[string]string{
		"TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'": "the database has the encoding SQL_ASCII; UTF8 is needed",
		"TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'":      "create it with another locale, such as C.UTF-8",
	} {
		c.database = enginetest.MakeDatabase(t, options)
		c.fail(cli.ExitFailure, says, "admin", "--database", c.database, "init")
		var tables int
		c.query(`SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`, &tables)
		require.Zero(t, tables)
	}
	c = newCluster(t)
	c.do(`DROP EXTENSION pg_trgm CASCADE`)
	c.fail(cli.ExitFailure, "the extension pg_trgm is missing, which searches need", c.arguments("one")...)
	c.serving()
	c.fail(cli.ExitUsage, "this is the data directory of a service", "serve", "--listen", "127.0.0.1:0", "--database", c.database, "--objects", c.objects, "--scratch", c.path("data"))
}

// TestARefusedMountMakesNothing checks that a mount that is refused leaves no directory. Inside
// another mount it would be a category, or a folder of the media store.
func TestARefusedMountMakesNothing(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	for _, place := range []string{"papers", "media"} {
		e.fail(cli.ExitHeld, "mounted already at "+e.path("ipaper"), "mount", e.path("ipaper", place, "inside"))
		require.Empty(t, e.must("ls "+place))
	}
}

// TestInitLooksAtTheObjectStore checks that init checks both engines before it sets anything up,
// and reports a problem itself instead of leaving that to the first node.
func TestInitLooksAtTheObjectStore(t *testing.T) {
	c := withoutRecords(t)
	plain := c.vars
	for _, try := range []struct {
		code              int
		says              string
		database, objects string
		vars              []string
	}{
		{cli.ExitFailure, "there is no bucket named elsewhere: create it", c.database, strings.Replace(c.objects, "/paperfs/", "/elsewhere/", 1), nil},
		{cli.ExitFailure, "s3://127.0.0.1:1/bucket: the object store cannot be reached now", c.database, "s3://127.0.0.1:1/bucket", nil},
		{cli.ExitUsage, "the form is s3://HOST/BUCKET/PREFIX", c.database, "https://s3.example/papers", nil},
		{cli.ExitFailure, "look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", c.database, c.objects, []string{"AWS_SECRET_ACCESS_KEY=sesame"}},
		{cli.ExitFailure, "there are no credentials for the object store: set AWS_ACCESS_KEY_ID", c.database, c.objects, []string{"AWS_ACCESS_KEY_ID="}},
		{cli.ExitFailure, "PostgreSQL cannot be reached now", "postgres://me@127.0.0.1:1/papers", c.objects, nil},
		{cli.ExitFailure, "there is no database nonetest", strings.Replace(c.database, "@/", "@/none", 1), c.objects, nil},
	} {
		c.vars = append(slices.Clone(plain), try.vars...)
		code, _, stderr := c.run("admin", "--database", try.database, "--objects", try.objects, "init")
		require.Equal(t, try.code, code, "%s: %s", try.says, stderr)
		require.Contains(t, stderr, try.says)
		require.NotContains(t, stderr, "sesame")
		var tables int
		c.query(`SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`, &tables)
		require.Zero(t, tables, "nothing was set up: %s", try.says)
	}
	c.vars = plain
	require.Len(t, strings.TrimSpace(c.admin("init")), 64)
}
