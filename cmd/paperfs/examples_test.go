package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/webhook"
	"paperfs/remote/testrun"
)

// These tests run the scripts of examples/ with the program in their PATH.

// example runs a script.
func (e *environment) example(name string, args ...string) (code int, stdout, stderr string) {
	e.t.Helper()
	e.set("PATH", filepath.Dir(e.program)+":"+os.Getenv("PATH"))
	script := testrun.Must(filepath.Abs(filepath.Join("../../examples", name)))(e.t)
	p := e.launch(programtest.Command(e.t, 0, script, args...))
	return p.wait(), p.stdout.String(), p.stderr.String()
}

func TestTheExamplePublishesAFolder(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.program = plain(t)
	testrun.Program(t, "rsync")
	e.compiled(ownData)
	require.NoError(t, os.Mkdir(e.path("folder"), 0o700))
	for _, name := range []string{"Spring.pdf", "Summer sale.pdf", "notes.txt"} {
		require.NoError(t, os.WriteFile(e.path("folder", name), pdftest.Text(name), 0o600))
	}
	e.mount()
	publish := func() {
		code, printed, stderr := e.example("publish-folder", e.path("folder"), e.path("ipaper"), "Catalogues/2027")
		require.Zero(t, code, stderr)
		require.Regexp(t, `^http://\S+/catalogues/2027/spring/\nhttp://\S+/catalogues/2027/summer-sale/\n$`, printed)
	}
	publish()
	require.Equal(t, "Spring.pdf", e.must("cat papers/Catalogues/2027/Spring.paper/pages/001/text.txt"))
	require.NoError(t, os.WriteFile(e.path("folder/Spring.pdf"), pdftest.Text("Now it is warm"), 0o600))
	publish()
	require.Equal(t, "Now it is warm", e.must("cat papers/Catalogues/2027/Spring.paper/pages/001/text.txt"))
	require.Equal(t, "2\n", e.must("ls -d papers/Catalogues/2027/*.paper | wc -l"))
	e.succeed("umount", e.path("ipaper"))
}

func TestTheExampleMakesBackups(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	backup := func(data string) (int, string) {
		code, printed, stderr := e.example("nightly-backup", data, e.path("backups/Mon"))
		require.Empty(t, printed)
		return code, stderr
	}
	for _, name := range []string{"one", "two"} {
		_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], "Media", "UploadFile", url.Values{
			"username": {env["PAPERFS_USERNAME"]}, "password": {env["PAPERFS_PASSWORD"]}, "parentID": {"0"}, "name": {name}, "base64File": {"aGk="}})
		require.Contains(t, body, "SUCCESS")
		code, stderr := backup(e.path("data"))
		require.Zero(t, code)
		require.Empty(t, stderr, "cron would send mail")
	}
	require.Contains(t, e.succeed("admin", "--data", e.path("backups/Mon"), "check", "--deep"), "missing: 0, wrong: 0")
	code, stderr := backup(e.path("none"))
	require.NotZero(t, code)
	require.Contains(t, stderr, e.path("none"))
}

func TestTheExamplePrintsOrders(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	testrun.Program(t, "python3")
	file := testrun.Must(filepath.Abs("../../remote/service/testdata/import.xml"))(t)
	_, env := e.serving("--clock", "2031-05-04T10:00:00Z") // the orders are of the last three months
	e.succeed("admin", "--data", e.path("data"), "import", file)
	for name, value := range env {
		e.set(name, value)
	}
	e.mount()
	code, printed, stderr := e.example("orders-to-csv", e.path("ipaper/papers"))
	require.Zero(t, code, stderr)
	require.Equal(t, `paper,order,date,checkout,product,name,price,amount
Garden tools/Spring 2031.paper,Zk81qP,2031-04-02 09:15:00,CheckoutByPrint,RK-7,Rake,"29,25",2
Garden tools/Spring 2031.paper,Zk81qP,2031-04-02 09:15:00,CheckoutByPrint,GL-1,Gloves,29,1
pumps/old/Rain & hoses.paper,bbbbb1,2031-03-01 00:00:00,CheckoutBySms,x,y,"0,1",3
`, printed)
	e.succeed("umount", e.path("ipaper"))
}

// TestTheExampleReceivesEvents also sends what no service signed, and what it signed for an earlier time.
func TestTheExampleReceivesEvents(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	python := testrun.Program(t, "python3")
	_, env := e.serving()
	port := freePort()
	address := "http://127.0.0.1:" + port
	secret := strings.Fields(e.admin("webhook", "add", address, "--events", "changed", "--trust-host"))[3]
	script := testrun.Must(filepath.Abs("../../examples/webhook-receiver"))(t)
	e.set("PAPERFS_WEBHOOK_SECRET", secret)
	p := e.launch(programtest.Command(t, 0, python, script, port))
	require.Eventually(t, func() bool {
		code, _, _ := e.run("admin", "--data", e.path("data"), "webhook", "test", "1")
		return code == 0
	}, testrun.Patience(), pause)
	id := createCategory(t, env, "pumps")
	told := fmt.Sprintf(`"kind":"category","id":%d,"address":"/pumps/"}`, id)
	require.Eventually(t, func() bool { return strings.Contains(p.stdout.String(), told) }, testrun.Patience(), pause)

	before := p.stdout.String()
	post := func(id string, at time.Time) int {
		body := []byte(`{"event":"changed"}`)
		signature := testrun.Must(webhook.Sign(secret, "id", at, body))(t)
		r := testrun.Must(http.NewRequest(http.MethodPost, address, bytes.NewReader(body)))(t)
		r.Header = http.Header{"Webhook-Id": {id}, "Webhook-Timestamp": {fmt.Sprint(at.Unix())}, "Webhook-Signature": {signature}}
		reply := testrun.Must(http.DefaultClient.Do(r))(t)
		defer reply.Body.Close()
		return reply.StatusCode
	}
	require.Equal(t, 403, post("other", time.Now()))
	require.Equal(t, 403, post("id", time.Now().Add(-time.Hour)))
	require.Equal(t, before, p.stdout.String())
	require.Equal(t, 204, post("id", time.Now()))
}
