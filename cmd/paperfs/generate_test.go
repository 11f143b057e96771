package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"

	"github.com/stretchr/testify/require"
)

func TestGenerateBesideARunningService(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	require.Equal(t, "made categories: 30, papers: 200, pages: 400, media directories: 2, media files: 20\n",
		e.admin("generate", "--papers", "200", "--categories", "30", "--depth", "4", "--seed", "2", "--pages", "2", "--media", "20", "--awkward-names"))
	id := regexp.MustCompile(`id="(\d+)"`).FindStringSubmatch(root(t, env, env["PAPERFS_USERNAME"], env["PAPERFS_PASSWORD"]))
	credentials := url.Values{"plUsername": {env["PAPERFS_USERNAME"]}, "plPassword": {env["PAPERFS_PASSWORD"]}, "paperID": id[1:]}
	_, tree := call(t, http.DefaultClient, env["PAPERFS_URL"], "Paper", "GetAllPapers", credentials)
	require.Equal(t, 200, strings.Count(tree, "&lt;paper "))
	require.Equal(t, 31, strings.Count(tree, "&lt;category "))
	_, media := call(t, http.DefaultClient, env["PAPERFS_URL"], "Media", "GetTree",
		url.Values{"username": credentials["plUsername"], "password": credentials["plPassword"]})
	require.Equal(t, 20, strings.Count(media, "<file "))

	e.fail(cli.ExitFailure, "another --seed", "admin", "--data", e.path("data"), "generate", "--categories", "30", "--depth", "4", "--seed", "2")
	e.fail(cli.ExitUsage, "depth", "admin", "--data", e.path("data"), "generate", "--depth", "0")
}
