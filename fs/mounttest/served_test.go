package mounttest

import (
	"context"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// served is the service in its own process, so that a test can kill it.
type served struct {
	t       testing.TB
	data    string
	admin   string // its admin socket
	process *exec.Cmd
}

// serve starts the service in a new directory; it ends with the test.
func serve(t testing.TB) *served {
	t.Helper()
	s := &served{t: t, data: t.TempDir(), admin: filepath.Join(t.TempDir(), "admin")}
	s.start()
	t.Cleanup(s.kill)
	return s
}

// start starts the service at its own address, and waits until it serves.
func (s *served) start() {
	s.t.Helper()
	said := &output{changed: make(chan struct{}, 1)}
	s.process = programtest.Command(s.t, 0, program, "serve", "--data", s.data, "--listen", "127.0.0.1:0", "--admin-listen", s.admin,
		"--address-connections", "0", "--address-requests", "0") // all callers of a test have one address
	s.process.Env = programtest.Bare("HOME="+s.data, "LC_ALL=C.UTF-8")
	s.process.Stdout, s.process.Stderr = said, said
	require.NoError(s.t, s.process.Start())
	if !said.waitFor("serving", nil) {
		s.t.Fatalf("the service did not come up:\n%s", said)
	}
}

// kill ends the service as a power cut does.
func (s *served) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// idle waits for a moment in which the service has no request under way. It finishes a request
// that it has received even if the client is dead.
func (s *served) idle() {
	s.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", s.admin)
	}}}
	until(s.t, "the service has no request under way", func() bool {
		reply, err := client.Get("http://admin/metrics")
		if err != nil {
			return false
		}
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body)
		return err == nil && strings.Contains(string(text), "\npaperfs_service_requests_under_way 0\n")
	})
}

// fixture returns the address and the account of the service.
func (s *served) fixture() *servicetest.Fixture {
	s.t.Helper()
	env := testrun.Must(datadir.ReadClientEnv(s.data))(s.t)
	return &servicetest.Fixture{URL: env.URL, Username: env.Username, Password: env.Password, Data: s.data}
}
