package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"
)

func (e *environment) admin(args ...string) string {
	e.t.Helper()
	return e.succeed(append([]string{"admin", "--data", e.path("data")}, args...)...)
}

func TestAdminWorksBesideARunningService(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.fail(cli.ExitFailure, "paperfs serve", "admin", "--data", e.path("data"), "account", "list")
	_, env := e.serving()

	key := strings.TrimSpace(e.admin("account", "add", "reader1", "--role", "reader"))
	require.GreaterOrEqual(t, len(key), 43, "the key has 256 bits")
	require.Contains(t, root(t, env, "reader1", key), "SUCCESS")
	require.Regexp(t, `1 +APIKey +admin\n2 +reader1 +reader\n`, e.admin("account", "list"))
	e.fail(cli.ExitFailure, "reader1", "admin", "--data", e.path("data"), "account", "add", "reader1")
	e.admin("account", "remove", "reader1")
	require.Contains(t, root(t, env, "reader1", key), "LOGIN_SECURITY_VIOLATION")
	e.fail(cli.ExitFailure, "reader1", "admin", "--data", e.path("data"), "account", "remove", "reader1")
}

func TestAdminTenants(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	e.admin("tenant", "add", "acme", "--host", "acme.example", "--root-url", "/acme/", "--processings", "3")
	key := strings.TrimSpace(e.admin("account", "add", "me", "--tenant", "acme"))
	ask := func() string {
		request, err := http.NewRequest(http.MethodPost, env["PAPERFS_URL"]+"/V2/Paper.asmx/GetPaperIDFromUrl",
			strings.NewReader(url.Values{"plUsername": {"me"}, "plPassword": {key}, "url": {"/acme/"}}.Encode()))
		require.NoError(t, err)
		request.Host = "acme.example"
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		reply := testrun.Must(http.DefaultClient.Do(request))(t)
		defer reply.Body.Close()
		var body strings.Builder
		testrun.Must(io.Copy(&body, reply.Body))(t)
		return body.String()
	}
	require.Regexp(t, `<paper id="\d+"`, ask())
	require.Contains(t, root(t, env, "me", key), "LOGIN_SECURITY_VIOLATION", "an account of another tenant is refused")
	require.Regexp(t, `2 +acme +acme\.example +/acme/ +- +3 +yes`, e.admin("tenant", "list"))
	e.admin("tenant", "set", "acme", "--public-url", "https://www.acme.example", "--processings", "-1", "--orders=false")
	require.Regexp(t, `acme +acme\.example +/acme/ +https://www\.acme\.example +any +no`, e.admin("tenant", "list"), "settings that were not given are unchanged")
	e.fail(cli.ExitFailure, "no tenant nobody", "admin", "--data", e.path("data"), "tenant", "set", "nobody", "--host", "x.example")
}

func TestAdminRemovesATenant(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	e.admin("tenant", "add", "acme", "--host", "localhost")
	key := strings.TrimSpace(e.admin("account", "add", "me", "--tenant", "acme"))
	local := map[string]string{"PAPERFS_URL": strings.Replace(env["PAPERFS_URL"], "127.0.0.1", "localhost", 1)}
	_, body := call(t, http.DefaultClient, local["PAPERFS_URL"], "Media", "UploadFile", url.Values{"username": {"me"}, "password": {key},
		"parentID": {"0"}, "name": {"file"}, "base64File": {strings.Repeat("AAAA", 100_000)}})
	require.Contains(t, body, "SUCCESS")

	e.fail(cli.ExitFailure, "accounts: 1, categories: 0, papers: 0, media directories: 0, media files: 1 (293 KiB)", "admin", "--data", e.path("data"), "tenant", "remove", "acme")
	require.Contains(t, root(t, local, "me", key), "SUCCESS", "without --yes, nothing is removed")
	require.Contains(t, e.admin("tenant", "remove", "acme", "--yes"), "removed tenant acme with accounts: 1")
	require.Contains(t, root(t, local, "me", key), "LOGIN_SECURITY_VIOLATION")
	require.Len(t, testrun.Must(filepath.Glob(e.path("data", "trash", "*", "*")))(t), 1)
	e.fail(cli.ExitFailure, "no tenant acme", "admin", "--data", e.path("data"), "tenant", "remove", "acme", "--yes")
	e.fail(cli.ExitFailure, "cannot be removed", "admin", "--data", e.path("data"), "tenant", "remove", "default", "--yes")
	require.Contains(t, root(t, env, env["PAPERFS_USERNAME"], env["PAPERFS_PASSWORD"]), "SUCCESS")
}

func TestAdminQuotas(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	e.admin("tenant", "set", "default", "--media-bytes", "10KiB", "--papers", "0", "--pdf-minutes", "30")
	login := url.Values{"username": {env["PAPERFS_USERNAME"]}, "password": {env["PAPERFS_PASSWORD"]}, "parentID": {"0"}, "name": {"file"}}
	upload := func(groups int) string {
		login.Set("base64File", strings.Repeat("AAAA", groups))
		_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], "Media", "UploadFile", login)
		return body
	}
	require.Contains(t, upload(3000), "SUCCESS")
	require.Contains(t, upload(4000), "media quota of 10240 bytes")
	_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], "Paper", "CreatePaper", url.Values{"plUsername": {env["PAPERFS_USERNAME"]}, "plPassword": {env["PAPERFS_PASSWORD"]},
		"parentID": {"1"}, "name": {"x"}, "urlName": {"x"}})
	require.Contains(t, body, "quota of 0 papers")
	require.Regexp(t, `default .* 8\.8 KiB of 10 KiB +0 of 0 +0\.0 of 30\n`, e.admin("tenant", "list"))
	set := e.json("tenant", "set", "default", "--media-bytes", "any").(map[string]any)
	require.Equal(t, map[string]any{"media_bytes": nil, "papers": 0.0, "pdf_minutes": 30.0}, set["quota"])
	require.Equal(t, map[string]any{"media_bytes": 9000.0, "papers": 0.0, "pdf_minutes": 0.0}, set["used"])
	require.Contains(t, upload(4000), "SUCCESS")
	e.fail(cli.ExitUsage, "--media-bytes", "admin", "--data", e.path("data"), "tenant", "set", "default", "--media-bytes", "much")
	e.fail(cli.ExitUsage, "1.5GiB", "admin", "--data", e.path("data"), "tenant", "set", "default", "--media-bytes", "1,5GiB")
	e.fail(cli.ExitFailure, "negative", "admin", "--data", e.path("data"), "tenant", "set", "default", "--papers", "-2")
}

// TestTenantsAreSetSideBySide checks that, if two commands set different settings at once, both
// take effect.
func TestTenantsAreSetSideBySide(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.serving()
	for round := range 4 {
		papers, minutes := fmt.Sprint(100+round), fmt.Sprint(200+round)
		one := e.start("admin", "--data", e.path("data"), "tenant", "set", "default", "--papers", papers)
		other := e.start("admin", "--data", e.path("data"), "tenant", "set", "default", "--pdf-minutes", minutes)
		require.Equal(t, cli.ExitOK, one.wait(), one.stderr)
		require.Equal(t, cli.ExitOK, other.wait(), other.stderr)
		require.Regexp(t, " 0 of "+papers+` +0\.0 of `+minutes+`\n`, e.admin("tenant", "list"))
	}
}

func TestAdminRotatesAKey(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p, env := e.serving()
	key := strings.TrimSpace(e.admin("account", "rotate", "APIKey"))
	require.Contains(t, root(t, env, "APIKey", env["PAPERFS_PASSWORD"]), "LOGIN_SECURITY_VIOLATION")
	require.Contains(t, root(t, env, "APIKey", key), "SUCCESS")
	require.Equal(t, key, clientEnv(t, e.path("data"))["PAPERFS_PASSWORD"])
	require.Equal(t, env["PAPERFS_URL"], clientEnv(t, e.path("data"))["PAPERFS_URL"])

	newer := strings.TrimSpace(e.admin("account", "rotate", "APIKey", "--grace", "1h"))
	require.Contains(t, root(t, env, "APIKey", key), "SUCCESS", "the old key works for another hour")
	require.Contains(t, root(t, env, "APIKey", newer), "SUCCESS")
	e.fail(cli.ExitFailure, "no account nobody", "admin", "--data", e.path("data"), "account", "rotate", "nobody")
	e.fail(cli.ExitUsage, "--grace", "admin", "--data", e.path("data"), "account", "rotate", "APIKey", "--grace", "-1s")

	p.ends(syscall.SIGTERM)
	_, again := e.serving()
	require.Contains(t, root(t, again, "APIKey", again["PAPERFS_PASSWORD"]), "SUCCESS", "a start updates the address and keeps the key")
	e.admin("account", "remove", "APIKey")
	require.NoFileExists(t, e.path("data", "client.env"), "the key is no longer valid")
}

func TestAdminReadonly(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	create := func() string {
		_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], "Media", "CreateDirectory",
			url.Values{"username": {env["PAPERFS_USERNAME"]}, "password": {env["PAPERFS_PASSWORD"]}, "parentID": {"0"}, "name": {"logos"}})
		return body
	}
	e.admin("readonly", "on")
	require.Contains(t, create(), "READONLY")
	e.admin("readonly", "off")
	require.Contains(t, create(), "SUCCESS")
}

func TestAdminImport(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	file := testrun.Must(filepath.Abs("../../remote/service/testdata/import.xml"))(t)
	require.Regexp(t, `^imported new categories: \d+, new papers: \d+, pages: \d+`, e.admin("import", file))
	id := regexp.MustCompile(`id="(\d+)"`).FindStringSubmatch(root(t, env, env["PAPERFS_USERNAME"], env["PAPERFS_PASSWORD"]))
	_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], "Paper", "GetAllPapers",
		url.Values{"plUsername": {env["PAPERFS_USERNAME"]}, "plPassword": {env["PAPERFS_PASSWORD"]}, "paperID": id[1:]})
	require.Contains(t, body, "&lt;paper ")
}

func TestAdminImportRefusesWhatIsNone(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.serving()
	require.NoError(t, os.WriteFile(e.path("bad.xml"), []byte("<import><paper"), 0o644))
	e.fail(cli.ExitFailure, "", "admin", "--data", e.path("data"), "import", e.path("bad.xml"))
	e.fail(cli.ExitFailure, "no such file", "admin", "--data", e.path("data"), "import", e.path("none.xml"))
}

func TestAdminBackupAndCheck(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], "Media", "UploadFile", url.Values{"username": {env["PAPERFS_USERNAME"]}, "password": {env["PAPERFS_PASSWORD"]},
		"parentID": {"0"}, "name": {"file"}, "base64File": {strings.Repeat("AAAA", 100_000)}})
	require.Contains(t, body, "SUCCESS")
	require.Contains(t, e.admin("backup", e.path("backup")), "1 contents copied, 0 already there")
	require.Contains(t, e.admin("backup", e.path("backup")), "0 contents copied, 1 already there")
	e.fail(cli.ExitFailure, "in the data directory", "admin", "--data", e.path("data"), "backup", e.path("data", "backup"))
	require.Contains(t, e.succeed("admin", "--data", e.path("backup"), "check", "--deep"), "checked contents: 1, fixed: 0")

	files := testrun.Must(filepath.Glob(e.path("backup", "content", "??", "*")))(t)
	require.Len(t, files, 1)
	require.NoError(t, os.Remove(files[0]))
	code, stdout, _ := e.run("admin", "--data", e.path("backup"), "check", "--json")
	require.Equal(t, cli.ExitUnsound, code)
	var report struct{ Missing []string }
	require.NoError(t, json.Unmarshal([]byte(stdout), &report))
	require.Equal(t, []string{"media file 1 (file)"}, report.Missing)
	require.Contains(t, e.admin("check"), "missing: 0", "a change of the backup does not affect the data")
}

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

// json runs an admin command with --json and returns its value, with numbers as
// float64.
func (e *environment) json(args ...string) any {
	e.t.Helper()
	text := e.admin(append(args, "--json")...)
	var v any
	require.NoError(e.t, json.Unmarshal([]byte(text), &v), text)
	return v
}

func TestEveryAdminCommandSpeaksJSON(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	type object = map[string]any
	acme := object{"id": 2.0, "name": "acme", "hosts": []any{"acme.example"}, "root_url": "/", "public_url": "", "processings": nil, "orders": true}
	require.Subset(t, e.json("tenant", "add", "acme", "--host", "acme.example"), acme)
	acme["processings"] = 5.0
	require.Subset(t, e.json("tenant", "set", "acme", "--processings", "5"), acme)
	tenants := e.json("tenant", "list").([]any)
	require.Len(t, tenants, 2)
	require.Subset(t, tenants[0], acme)
	require.Subset(t, tenants[1], object{"name": "default", "hosts": []any{}})

	made := e.json("account", "add", "me", "--tenant", "acme", "--role", "reader").(object)
	require.Regexp(t, `^[0-9a-f]{64}$`, made["key"])
	require.Equal(t, object{"id": 2.0, "tenant": "acme", "name": "me", "role": "reader", "key": made["key"]}, made)
	rotated := e.json("account", "rotate", "me", "--tenant", "acme").(object)
	require.NotEqual(t, made["key"], rotated["key"])
	require.Equal(t, 2.0, rotated["id"])
	me := object{"id": 2.0, "tenant": "acme", "name": "me", "role": "reader"}
	require.Equal(t, []any{me}, e.json("account", "list", "--tenant", "acme"))
	require.Equal(t, me, e.json("account", "remove", "me", "--tenant", "acme"))
	require.Equal(t, []any{}, e.json("account", "list", "--tenant", "acme"))

	require.Equal(t, 2.0, e.json("tenant", "remove", "acme", "--yes").(object)["id"])
	require.Equal(t, object{"readonly": true}, e.json("readonly", "on"))
	require.Contains(t, root(t, env, env["PAPERFS_USERNAME"], env["PAPERFS_PASSWORD"]), "SUCCESS")
	require.Equal(t, object{"readonly": false}, e.json("readonly", "off"))
	file := testrun.Must(filepath.Abs("../../remote/service/testdata/import.xml"))(t)
	require.Greater(t, e.json("import", file).(object)["papers"], 0.0)
	require.Subset(t, e.json("backup", e.path("backup")), object{"there": 0.0, "missing": []any{}})
	require.Subset(t, e.json("check"), object{"faults": []any{}, "orphans": []any{}})
	require.True(t, strings.HasPrefix(e.admin("check"), "checked contents"), "without --json, the output is text")
}
