package main

import (
	"crypto/tls"
	"database/sql"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestLogAsJSON checks that each request has one line, which names its caller and has the
// Request-Id of the answer.
func TestLogAsJSON(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p, env := e.serving("--log-format", "json")
	ask := func(password string) string {
		reply, err := http.PostForm(env["PAPERFS_URL"]+"/V2/Paper.asmx/GetPaperIDFromUrl",
			url.Values{"plUsername": {env["PAPERFS_USERNAME"]}, "plPassword": {password}, "url": {"/"}})
		require.NoError(t, err)
		reply.Body.Close()
		return reply.Header.Get("Request-Id")
	}
	for password, want := range map[string][2]string{env["PAPERFS_PASSWORD"]: {"APIKey", "SUCCESS"}, "wrong": {"", "LOGIN_SECURITY_VIOLATION"}} {
		number := ask(password)
		require.NotEmpty(t, number)
		line := p.says(`"request":` + number + ",")
		var entry struct {
			Msg, Tenant, Account, Operation, Code, From string
			Status, Bytes, Took                         int64
		}
		require.NoError(t, json.Unmarshal([]byte(line), &entry), line)
		require.Equal(t, "request", entry.Msg)
		require.Equal(t, "default", entry.Tenant)
		require.Equal(t, want, [2]string{entry.Account, entry.Code})
		require.Equal(t, "GetPaperIDFromUrl", entry.Operation)
		require.True(t, strings.HasPrefix(entry.From, "127.0.0.1:"), entry.From)
		require.EqualValues(t, 200, entry.Status)
		require.Positive(t, entry.Bytes)
		require.Positive(t, entry.Took)
	}
	require.NotContains(t, p.stderr.String(), env["PAPERFS_PASSWORD"])
	e.fail(cli.ExitUsage, "--log-format", "serve", "--data", e.path("other"), "--log-format", "xml")
}

// TestAHangupBeforeTheDataIsOpenEndsNothing holds the database, so that the service cannot open it yet.
func TestAHangupBeforeTheDataIsOpenEndsNothing(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	data := e.path("data")
	servicetest.Migrate(t, data)
	db := testrun.Must(sql.Open("sqlite", filepath.Join(data, datadir.DatabaseFile)+"?_txlock=immediate"))(t)
	defer db.Close()
	held := testrun.Must(db.Begin())(t)
	p := e.start("serve", "--data", data, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0")
	p.says("/healthz, /readyz and /metrics at ")
	p.signal(syscall.SIGHUP)
	require.NoError(t, held.Rollback())
	p.says("serving " + data + " at http")
	p.ends(syscall.SIGTERM)
}

// TestHangupReadsTheCertificateAgain checks that a renewed certificate needs no restart, and that
// the service keeps running after an invalid one.
func TestHangupReadsTheCertificateAgain(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.certificate()
	p, env := e.serving("--tls-cert", e.path("cert.pem"), "--tls-key", e.path("key.pem"))
	address := strings.TrimPrefix(env["PAPERFS_URL"], "https://")
	serial := func() string {
		c, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true}) // the test checks its serial number
		require.NoError(t, err)
		defer c.Close()
		return c.ConnectionState().PeerCertificates[0].SerialNumber.String()
	}
	old := serial()
	e.certificate()
	require.Equal(t, old, serial())
	p.signal(syscall.SIGHUP)
	require.Eventually(t, func() bool { return serial() != old }, testrun.Patience(), 10*time.Millisecond)
	renewed := serial()
	require.NoError(t, os.WriteFile(e.path("cert.pem"), []byte("x"), 0o600))
	p.signal(syscall.SIGHUP)
	p.says("the old certificate stays in use")
	require.Equal(t, renewed, serial())
	p.ends(syscall.SIGTERM)
}

// TestEachLineOfServeIsJSON checks with --log-format json that each line on standard error is
// JSON, from the first on: what serve listens on, and why it does not start.
func TestEachLineOfServeIsJSON(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	lines := func(p *process) (messages []string) {
		for line := range strings.Lines(p.stderr.String()) {
			var entry struct{ Time, Level, Msg string }
			require.NoError(t, json.Unmarshal([]byte(line), &entry), line)
			require.NotEmpty(t, entry.Time)
			require.NotEmpty(t, entry.Level)
			messages = append(messages, entry.Msg)
		}
		return messages
	}
	p := e.start("serve", "--data", e.path("data"), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log-format", "json", "--log-level", "error")
	p.says("serving " + e.path("data") + " at http")
	p.ends(syscall.SIGTERM)
	said := lines(p)
	require.Contains(t, said[0], "/healthz, /readyz and /metrics at 127.0.0.1:")
	require.Contains(t, said[1], "serving "+e.path("data"))
	require.Contains(t, said[2], "publisher's name") // of a first start
	require.Len(t, said, 3)

	taken := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { taken.Close() })
	require.NoError(t, os.WriteFile(e.path("file"), nil, 0o600))
	for name, one := range map[string]struct {
		args []string
		says string
	}{
		"an address in use": {[]string{"--listen", taken.Addr().String(), "--data", e.path("data")}, "another program listens there"},
		"no directory":      {[]string{"--listen", "127.0.0.1:0", "--data", e.path("file", "data")}, "not a directory"},
		"an unknown flag":   {[]string{"--bogus"}, "unknown flag: --bogus"},
		"an argument":       {[]string{"more"}, "takes no arguments"},
		"a wrong value":     {[]string{"--jobs", "many"}, "give a whole number"},
	} {
		for _, format := range [][]string{{"--log-format", "json"}, {"--log-format=json"}} {
			p := e.start(append(append([]string{"serve"}, one.args...), format...)...)
			require.NotEqual(t, cli.ExitOK, p.wait(), name)
			said := lines(p)
			require.Len(t, said, 1, name)
			require.Contains(t, said[0], one.says, name)
		}
	}
}
