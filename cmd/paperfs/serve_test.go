package main

import (
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// serving starts `paperfs serve` on a free port and returns its client.env. It finds the newest schema: first starts
// without are those of mounts.
func (e *environment) serving(args ...string) (*process, map[string]string) {
	e.t.Helper()
	data := e.path("data")
	servicetest.Migrate(e.t, data)
	p := e.start(append([]string{"serve", "--data", data, "--listen", "127.0.0.1:0"}, args...)...)
	p.says("serving " + data + " at http")
	return p, clientEnv(e.t, data)
}

// root requests the root's id with these credentials.
func root(t *testing.T, env map[string]string, username, password string) string {
	_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], "Paper", "GetPaperIDFromUrl",
		url.Values{"plUsername": {username}, "plPassword": {password}, "url": {"/"}})
	return body
}

func TestServeAndItsClientEnv(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p, env := e.serving()
	require.EqualValues(t, 0o600, testrun.Must(os.Stat(e.path("data", "client.env")))(t).Mode().Perm())
	require.Equal(t, "0", env["PAPERFS_RPM"])
	require.Equal(t, "APIKey", env["PAPERFS_USERNAME"])
	p.says("papers/.category/settings/publisher") // the first start asks for a name
	require.Contains(t, root(t, env, env["PAPERFS_USERNAME"], env["PAPERFS_PASSWORD"]), "SUCCESS")
	require.Contains(t, root(t, env, env["PAPERFS_USERNAME"], "wrong"), "LOGIN_SECURITY_VIOLATION")

	e.fail(cli.ExitDataHeld, "data", "serve", "--data", e.path("data"), "--listen", "127.0.0.1:0")
	p.ends(syscall.SIGTERM)
	p.says("GetPaperIDFromUrl")
	require.NotContains(t, p.stderr.String(), env["PAPERFS_PASSWORD"])
	require.NotContains(t, p.stderr.String(), "wrong")

	again, env2 := e.serving()
	require.Equal(t, env["PAPERFS_PASSWORD"], env2["PAPERFS_PASSWORD"])
	require.Contains(t, root(t, env2, env2["PAPERFS_USERNAME"], env2["PAPERFS_PASSWORD"]), "SUCCESS")
	again.ends(syscall.SIGINT)
}

func TestServeListensForAllAndTellsAnAddressThatWorks(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving("--listen", "0.0.0.0:0", "--base-path", "/papers/")
	require.Regexp(t, regexp.MustCompile(`^http://127\.0\.0\.1:\d+/papers$`), env["PAPERFS_URL"])
	require.Contains(t, root(t, env, env["PAPERFS_USERNAME"], env["PAPERFS_PASSWORD"]), "SUCCESS")
}

func TestServeOptionsReachTheService(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving("--tree-form", "raw", "--cdata", "none", "--rpm", "2", "--no-extended")
	ask := func(group, operation string, params url.Values) (int, string) {
		params.Set("plUsername", env["PAPERFS_USERNAME"])
		params.Set("plPassword", env["PAPERFS_PASSWORD"])
		return call(t, http.DefaultClient, env["PAPERFS_URL"], group, operation, params)
	}
	id := regexp.MustCompile(`id="(\d+)"`).FindStringSubmatch(root(t, env, env["PAPERFS_USERNAME"], env["PAPERFS_PASSWORD"]))
	require.Len(t, id, 2)
	status, body := ask("Paper", "DeletePaper", url.Values{"paperID": id[1:]})
	require.Equal(t, http.StatusInternalServerError, status)
	require.Contains(t, body, "method name is not valid")
	_, body = ask("Paper", "GetAllPapers", url.Values{"paperID": id[1:]})
	require.Contains(t, body, "<code>SUCCESS</code>", "the answer is not wrapped in CDATA")
	status, _ = ask("Paper", "GetAllPapers", url.Values{"paperID": id[1:]})
	require.Equal(t, http.StatusTooManyRequests, status)
	require.Equal(t, "2", env["PAPERFS_RPM"], "client.env has the service's limit")
}

// underWay begins an upload with good credentials, and returns once the service has checked them:
// from then on it finishes the upload in any case.
func (e *environment) underWay(env map[string]string) (conn net.Conn, rest string) {
	e.t.Helper()
	address := testrun.Must(url.Parse(env["PAPERFS_URL"]))(e.t)
	conn = testrun.Must(net.Dial("tcp", address.Host))(e.t)
	e.t.Cleanup(func() { conn.Close() })
	require.NoError(e.t, conn.SetDeadline(time.Now().Add(testrun.Patience())))
	first := url.Values{"username": {env["PAPERFS_USERNAME"]}, "password": {env["PAPERFS_PASSWORD"]}}.Encode() + "&base64File=" + strings.Repeat("AAAA", 100_000)
	rest = "BBBB&parentID=0&name=upload"
	_, err := io.WriteString(conn, "POST /V2/Media.asmx/UploadFile HTTP/1.1\r\nHost: "+address.Host+"\r\nConnection: close\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "+strconv.Itoa(len(first)+len(rest))+"\r\n\r\n"+first)
	require.NoError(e.t, err)
	require.Eventually(e.t, func() bool { // the service checks credentials before it stores content
		arriving, err := os.ReadDir(e.path("data", "content", "incoming"))
		return err == nil && len(arriving) > 0
	}, testrun.Patience(), time.Millisecond)
	return conn, rest
}

func TestServeRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	taken := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	e.fail(cli.ExitFailure, "address already in use", "serve", "--data", e.path("data"), "--listen", taken.Addr().String())
	e.fail(cli.ExitFailure, "certificate", "serve", "--data", e.path("data"), "--tls-cert", "nope", "--tls-key", "nope")
	require.NoDirExists(t, e.path("data"))
}

// TestServeWhereItCannotListen checks that the message says what to do.
func TestServeWhereItCannotListen(t *testing.T) {
	t.Parallel()
	l := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	e := newEnvironment(t)
	e.fail(cli.ExitFailure, "another program listens there. Run: ss -ltnp 'sport = :"+port+"' to see which, or choose another port", "serve", "--data", e.path("data"), "--listen", "127.0.0.1:"+port)
	e.fail(cli.ExitFailure, "this machine does not have that address", "serve", "--data", e.path("data"), "--listen", "192.0.2.1:0")
	require.NoDirExists(t, e.path("data"))
}

// ownData is the place of the data of a mount's own service, below the home.
const ownData = ".local/share/paperfs"

// compiled gives a data directory the code of PDFium that other tests have compiled, which takes seconds.
func (e *environment) compiled(data string) {
	e.t.Helper()
	require.NoError(e.t, os.MkdirAll(e.path(data), 0o700))
	require.NoError(e.t, os.Symlink(servicetest.PDFCacheOf(e.program), e.path(data, "pdf-code")))
}

// TestServeProcessesPDFs checks that the program starts itself as the worker.
func TestServeProcessesPDFs(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.program = plain(t)
	if !testrun.All() {
		e.compiled("data")
	}
	_, env := e.serving("--pdf-limit", "2000")
	ask := func(group, operation string, pairs ...string) string {
		form := url.Values{"plUsername": {env["PAPERFS_USERNAME"]}, "plPassword": {env["PAPERFS_PASSWORD"]}}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], group, operation, form)
		return body
	}
	attribute := func(name, body string) string {
		found := regexp.MustCompile(name + `[="<>!\[CDAT]+([0-9a-f-]+)`).FindStringSubmatch(body)
		require.NotNil(t, found, body)
		return found[1]
	}
	root := attribute("id", ask("Paper", "GetPaperIDFromUrl", "url", "/"))
	paper := attribute("id", ask("Paper", "CreatePaper", "parentID", root, "name", "Spring", "urlName", "spring"))
	encoded := func(texts ...string) string { return base64.StdEncoding.EncodeToString(pdftest.Text(texts...)) }
	require.Contains(t, ask("Ripper", "ProcessPDF", "paperID", paper, "xmlOptions", "", "base64Pdf", encoded(strings.Repeat("long ", 400))), "2000 bytes")

	job := attribute("jobGuid", ask("Ripper", "ProcessPDF", "paperID", paper, "xmlOptions", "", "base64Pdf", encoded("Spring is here")))
	var status string
	require.Eventually(t, func() bool {
		status = ask("Ripper", "GetProcessingStatus", "jobGuid", job)
		return !strings.Contains(status, "Pending")
	}, testrun.Patience(), 50*time.Millisecond)
	require.Contains(t, status, "Completed")
	require.Contains(t, ask("Paper", "GetPaperStructure", "paperID", paper, "includeIndexedText", "true"), "Spring is here")
}
