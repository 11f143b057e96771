package main

import (
	"slices"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"

	"github.com/stretchr/testify/require"
)

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
