package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestOpenManageSignsABrowserIn opens the publisher's page from a mount: the browser is given a file that only its owner reads, and which leads
// to the page; the secret is in no list of arguments.
func TestOpenManageSignsABrowserIn(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PATH", e.path("bin")+":"+os.Getenv("PATH"))
	e.set("XDG_STATE_HOME", e.path("state"))
	e.mount()
	e.fail(cli.ExitUsage, "preview", "open", "--manage", "--preview", "60", e.path("ipaper"))
	e.fail(cli.ExitUsage, "arg", "open", "--manage", e.path("ipaper"), e.path("ipaper"))
	printed := e.succeed("open", "--manage", e.path("ipaper"))
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/manage/#once=[\w-]{43}\n$`, printed, "without a desktop")
	e.set("DISPLAY", ":7")
	require.NoError(t, os.Mkdir(e.path("bin"), 0o755))
	require.NoError(t, os.WriteFile(e.path("bin/xdg-open"), []byte("#!/bin/sh\nprintf %s \"$1\" > "+e.path("opened")), 0o755))
	for range 2 {
		require.Empty(t, e.succeed("open", "--manage", e.path("ipaper/papers")))
	}
	file, is := strings.CutPrefix(string(testrun.Must(os.ReadFile(e.path("opened")))(t)), "file://")
	require.True(t, is)
	info := testrun.Must(os.Stat(file))(t)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	page := testrun.Must(os.ReadFile(file))(t)
	link := regexp.MustCompile(`url=(http://[^/]+)/manage/#once=([\w-]{43})"`).FindStringSubmatch(string(page))
	require.NotNil(t, link, string(page))
	jar := testrun.Must(cookiejar.New(nil))(t)
	r := testrun.Must(http.NewRequest(http.MethodPost, link[1]+"/manage/link", strings.NewReader(url.Values{"link": {link[2]}}.Encode())))(t)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", link[1])
	response := testrun.Must((&http.Client{Jar: jar}).Do(r))(t)
	defer response.Body.Close()
	body := testrun.Must(io.ReadAll(response.Body))(t)
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Contains(t, string(body), "APIKey")
}

// TestInvitation prints a link for a colleague, at the address at which a browser reaches the service.
func TestInvitation(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	e.admin("account", "add", "anna", "--role", "reader")
	link := strings.TrimSpace(e.admin("account", "invite", "anna"))
	at, secret, found := strings.Cut(link, "/manage/#once=")
	require.True(t, found, link)
	require.Equal(t, env["PAPERFS_URL"], at)
	require.Len(t, secret, 43)
	redeem := func(secret string, ok bool) {
		t.Helper()
		r := testrun.Must(http.NewRequest(http.MethodPost, at+"/manage/link", strings.NewReader(url.Values{"link": {secret}}.Encode())))(t)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", at)
		response := testrun.Must(http.DefaultTransport.RoundTrip(r))(t)
		response.Body.Close()
		require.Equal(t, ok, response.StatusCode == http.StatusSeeOther)
	}
	redeem(secret, true)
	redeem(secret, false)
	_, open, _ := strings.Cut(strings.TrimSpace(e.admin("account", "invite", "anna")), "#once=")
	e.admin("account", "sign-out", "anna")
	redeem(open, false)
	require.Contains(t, e.admin("account", "invite", "--url", "https://papers.example/", "anna"), "https://papers.example/manage/#once=")
	e.fail(cli.ExitFailure, "has no account ben", "admin", "--data", e.path("data"), "account", "invite", "ben")
	e.admin("tenant", "add", "acme", "--host", "acme.example")
	e.admin("account", "add", "carl", "--tenant", "acme")
	require.Contains(t, e.admin("account", "invite", "--tenant", "acme", "carl"), "https://acme.example/manage/#once=")
	e.fail(cli.ExitUsage, "--manage-host", "serve", "--data", e.path("other"), "--manage-host", "https://x.example")
}
