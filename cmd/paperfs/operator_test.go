package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/mountpoint"
	"paperfs/remote/testrun"
)

// TestHealthAndMetricsForTheOperatorAlone checks that the operator can see the state of the service
// until it ends, at an address that no one else can reach.
func TestHealthAndMetricsForTheOperatorAlone(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.fail(cli.ExitUsage, "loopback", "serve", "--data", e.path("other"), "--listen", "127.0.0.1:0", "--admin-listen", "0.0.0.0:0")
	socket := e.path("admin.sock")
	p, env := e.serving("--admin-listen", socket, "--rpm", "3")
	require.EqualValues(t, 0o600, testrun.Must(os.Stat(socket))(t).Mode().Perm())
	operator := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	get := func(client *http.Client, address string) (int, string) {
		t.Helper()
		reply := testrun.Must(client.Get(address))(t)
		defer reply.Body.Close()
		text := testrun.Must(io.ReadAll(reply.Body))(t)
		return reply.StatusCode, string(text)
	}
	e.succeed("health", socket)
	e.fail(cli.ExitFailure, "does not answer", "health", socket+".none")
	for _, path := range []string{"/healthz", "/readyz"} {
		status, text := get(operator, "http://admin"+path)
		require.Equal(t, http.StatusOK, status, text)
		status, _ = get(http.DefaultClient, env["PAPERFS_URL"]+path)
		require.Equal(t, http.StatusNotFound, status, "the public address does not serve operator pages")
	}
	status, _ := get(http.DefaultClient, env["PAPERFS_URL"]+"/metrics")
	require.Equal(t, http.StatusNotFound, status)
	conn, rest := e.underWay(env) // counts as the account's first call
	for range 3 {
		root(t, env, env["PAPERFS_USERNAME"], env["PAPERFS_PASSWORD"])
	}
	root(t, env, env["PAPERFS_USERNAME"], "wrong")
	lines := []string{
		`paperfs_service_requests_total{code="SUCCESS",operation="GetPaperIDFromUrl"} 2`,
		`paperfs_service_requests_total{code="429",operation="GetPaperIDFromUrl"} 1`,
		`paperfs_service_requests_total{code="LOGIN_SECURITY_VIOLATION",operation="GetPaperIDFromUrl"} 1`,
		`paperfs_service_requests_total{code="404",operation=""} 3`,
		`paperfs_service_request_seconds_count{operation="GetPaperIDFromUrl"} 4`,
		`paperfs_service_limited_total 1`, `paperfs_service_ready 1`,
		`paperfs_service_pdf_jobs{state="waiting"} 0`, `paperfs_service_pdf_jobs{state="running"} 0`, `paperfs_service_requests_under_way 1`,
		`paperfs_service_database_bytes `, `paperfs_service_disk_free_bytes `, `paperfs_service_sent_bytes_total `, `paperfs_service_received_bytes_total `,
	}
	// The service counts a request after it has written the answer.
	var text string
	require.Eventually(t, func() bool {
		_, text = get(operator, "http://admin/metrics")
		return !slices.ContainsFunc(lines, func(line string) bool { return !strings.Contains(text, "\n"+line) })
	}, testrun.Patience(), 10*time.Millisecond)
	require.NotContains(t, text, env["PAPERFS_PASSWORD"])

	// While the service finishes a request, it is alive but not ready.
	p.signal(syscall.SIGTERM)
	require.Eventually(t, func() bool {
		status, _ := get(operator, "http://admin/readyz")
		return status == http.StatusServiceUnavailable
	}, testrun.Patience(), 10*time.Millisecond)
	status, _ = get(operator, "http://admin/healthz")
	require.Equal(t, http.StatusOK, status)
	testrun.Must(io.WriteString(conn, rest))(t)
	require.Contains(t, string(testrun.Must(io.ReadAll(conn))(t)), "SUCCESS")
	require.Equal(t, cli.ExitOK, p.wait())
	require.NoFileExists(t, socket)
}

// TestMetricsOfAMount checks that the page has the metrics of .paperfs/metrics, and answers only to
// names of this machine.
func TestMetricsOfAMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.fail(cli.ExitUsage, "--metrics-listen 0.0.0.0:0: give a loopback address", "mount", "--metrics-listen", "0.0.0.0:0", e.path("ipaper"))
	require.NoDirExists(t, e.path("ipaper"))
	p := e.mount("--metrics-listen", "127.0.0.1:0")
	e.must("ls papers media > /dev/null") // otherwise there are no metrics of a tree
	_, address, _ := strings.Cut(p.says("paperfs: /metrics at "), " at ")
	reply := testrun.Must(http.Get("http://" + address + "/metrics"))(t)
	text, err := io.ReadAll(reply.Body)
	reply.Body.Close()
	require.NoError(t, err)
	names := func(text string) (names []string) {
		for line := range strings.Lines(text) {
			if name, ok := strings.CutPrefix(line, "# HELP "); ok {
				names = append(names, name)
			}
		}
		return names
	}
	require.NotEmpty(t, names(string(text)))
	require.Equal(t, names(e.must("cat .paperfs/metrics")), names(string(text)))

	request := httptest.NewRequest(http.MethodGet, "http://"+address+"/metrics", nil)
	request.RequestURI, request.Host = "", "evil.example"
	reply = testrun.Must(http.DefaultClient.Do(request))(t)
	reply.Body.Close()
	require.Equal(t, http.StatusMisdirectedRequest, reply.StatusCode)
	p.ends(syscall.SIGTERM)
}

// TestAMountThatIsStopped checks that each command says what does not answer and why, and ends, and
// that none unmounts, because that would abort calls under way.
func TestAMountThatIsStopped(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAPERFS_TEST_SILENCE", "3s") // a third of it passes before a command looks at the process
	m := e.mount()
	dir := e.path("ipaper")
	m.stop()
	t.Cleanup(func() { _ = m.cmd.Process.Signal(syscall.SIGCONT) })
	said := fmt.Sprintf("%s is a mount whose process %d is stopped (by kill -STOP, ^Z or a debugger), so that it does not answer", dir, m.cmd.Process.Pid)
	mend := fmt.Sprintf("Run: kill -CONT %d", m.cmd.Process.Pid)
	var commands []*process
	for _, args := range [][]string{{"status", dir}, {"umount", dir}, {"umount", "--wait", dir}, {"wait", dir}, {"stat", dir + "/media"}, {"refresh", dir}, {"why", dir + "/media"}} {
		commands = append(commands, e.start(args...))
	}
	for _, p := range commands {
		require.Equal(t, cli.ExitStale, p.wait(), "%v: %s", p.cmd.Args, p.stderr)
		require.Contains(t, p.stderr.String(), said+". "+mend+"\n", p.cmd.Args)
	}
	stopped := doctor.Finding{Check: "mounts", Level: doctor.Failure, Says: said, Fix: mend}
	require.Contains(t, e.doctor(dir)("mounts"), stopped)
	require.Contains(t, e.doctor()("mounts"), stopped)
	m.signal(syscall.SIGCONT)
	e.must("ls media")
	e.succeed("status", dir)
	m.stop()
	code, _, stderr := e.run("umount", "--force", dir)
	require.Zero(t, code, stderr)
	require.Contains(t, stderr, fmt.Sprintf("detached; process %d is stopped, and ends after: kill -CONT %d\n", m.cmd.Process.Pid, m.cmd.Process.Pid))
	m.signal(syscall.SIGCONT)
	m.wait()
}

// TestACommandInASilentMountCanBeEnded checks that a signal ends a command that waits for a stopped
// mount. The kernel does not release the process that makes the request, so the command starts a
// child process for it.
func TestACommandInASilentMountCanBeEnded(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAPERFS_TEST_SILENCE", "1h") // otherwise the commands end by themselves
	m := e.mount()
	e.must("ls media")
	m.stop()
	t.Cleanup(func() { _ = m.cmd.Process.Signal(syscall.SIGCONT) })
	var commands []*process
	for _, args := range [][]string{{"status", e.path("ipaper")}, {"umount", e.path("ipaper")}} {
		p := e.start(args...)
		// The second command may wait for the first one's request: the kernel sends one look-up of a name at a time.
		require.Eventually(t, func() bool {
			return startsInside(p.cmd.Process.Pid) && unanswered(t, e.path("ipaper")) != 0
		}, testrun.Patience(), 10*time.Millisecond, "%v does not wait for the mount", args)
		p.signal(syscall.SIGTERM)
		commands = append(commands, p)
	}
	for _, p := range commands {
		require.Equal(t, 128+int(syscall.SIGTERM), p.wait(), p.cmd.Args)
	}
	m.signal(syscall.SIGCONT)
	e.must("ls media") // it is still mounted
}

// unanswered returns how many requests of the kernel a mount has not answered, or -1 where fusectl, which
// tells, is not mounted.
func unanswered(t *testing.T, dir string) int {
	t.Helper()
	at, mounted := testrun.Must2(mountpoint.At(dir))(t)
	require.True(t, mounted, "nothing is mounted at %s", dir)
	_, minor, _ := strings.Cut(at.Device, ":")
	text, err := os.ReadFile("/sys/fs/fuse/connections/" + minor + "/waiting")
	if err != nil {
		return -1
	}
	return testrun.Must(strconv.Atoi(strings.TrimSpace(string(text))))(t)
}

// startsInside reports whether a command has started the process that accesses the mount for it.
func startsInside(pid int) bool {
	return slices.ContainsFunc(childrenOf(pid), func(child int) bool {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child))
		return strings.Contains(string(text), "\x00"+serving.InsideArgument+"\x00")
	})
}
