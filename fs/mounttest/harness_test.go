package mounttest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/testrun"
)

// These tests use paperfs as its users do: the built program mounts a directory, real programs work
// in it, and a proxy between the mount and a real service counts requests and makes them fail. The
// mount is a separate process, so no test can deadlock with the handlers that answer it.

// program is what mounts and serves; paperfs is what users call beside it. They are the same, but with the race
// detector, which makes each of thousands of short calls three times as long.
var program, paperfs string

func TestMain(m *testing.M) {
	temporary.InMemory()
	testrun.Short(short...)
	testrun.SideBySide(sideBySide)
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "paperfs-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		servicetest.RememberPages(filepath.Join(dir, "pages"))
		program = filepath.Join(dir, "paperfs")
		paperfs = program
		err = build(program, buildFlags...)
		if err == nil && len(buildFlags) > 0 {
			paperfs = filepath.Join(dir, "commands", "paperfs")
			err = build(paperfs)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// lookAtSources looks at all sources of the program, within a test: go test takes results from before as long as the files that
// tests have looked at are the same, and does not know what another process has built.
var lookAtSources = sync.OnceValue(func() error {
	var failed error
	for _, sources := range []string{"cmd", "fs", "cache", "remote"} {
		failed = errors.Join(failed, filepath.WalkDir(filepath.Join("../..", sources), func(path string, _ os.DirEntry, err error) error {
			_, unread := os.Stat(path)
			return errors.Join(err, unread)
		}))
	}
	return failed
})

// build builds paperfs, or takes it from Go's cache: go run keeps programs there, and go build links them again.
func build(program string, flags ...string) error {
	args := append([]string{"run", "-exec=install -D"}, flags...)
	if out, err := exec.Command("go", append(args, "paperfs/cmd/paperfs", program)...).CombinedOutput(); err != nil {
		return fmt.Errorf("build paperfs: %w\n%s", err, out)
	}
	return nil
}

// mounted is a mount and its service.
type mounted struct {
	t       testing.TB
	dir     string
	home    string
	service *servicetest.Fixture
	proxy   *servicetest.Proxy
	process *exec.Cmd
	exited  chan struct{} // closed when the process has ended
	stderr  *output
}

// newMount starts a service, a proxy in front of it, and a mount.
func newMount(t testing.TB, flags ...string) *mounted {
	t.Helper()
	require.NoError(t, lookAtSources())
	return newMountOf(t, servicetest.Start(t), flags...)
}

func newMountOf(t testing.TB, fixture *servicetest.Fixture, flags ...string) *mounted {
	t.Helper()
	programtest.Mounting(t)
	m := &mounted{t: t, service: fixture, proxy: servicetest.NewProxy(t, fixture.URL), home: t.TempDir()}
	m.dir = filepath.Join(m.home, "ipaper")
	statetest.Prepare(t, state.AccountDirs(filepath.Join(m.home, "state"), filepath.Join(m.home, "cache"), m.proxy.URL, fixture.Username))
	t.Cleanup(m.kill) // a mount that does not come up in time may come up later
	m.start(flags...)
	return m
}

// start runs `paperfs mount` and waits until it reports that it has mounted.
func (m *mounted) start(flags ...string) {
	m.t.Helper()
	m.stderr = &output{changed: make(chan struct{}, 1)}
	m.process = programtest.Command(m.t, 0, program, append(append([]string{"mount"}, flags...), m.dir)...)
	m.process.Env = m.environment()
	m.process.Stderr = m.stderr
	require.NoError(m.t, m.process.Start())
	m.exited = make(chan struct{})
	go func(p *exec.Cmd, exited chan struct{}) {
		_ = p.Wait()
		close(exited)
	}(m.process, m.exited)
	if !m.stderr.waitFor("mounted", m.exited) {
		m.t.Fatalf("the mount did not come up:\n%s", m.stderr)
	}
}

// environment is a fresh home, with the service behind the proxy.
func (m *mounted) environment() []string {
	return programtest.Bare(
		"HOME="+m.home,
		"XDG_DATA_HOME="+filepath.Join(m.home, "data"), "XDG_STATE_HOME="+filepath.Join(m.home, "state"),
		"XDG_CACHE_HOME="+filepath.Join(m.home, "cache"), "XDG_CONFIG_HOME="+filepath.Join(m.home, "config"),
		"PAPERFS_URL="+m.proxy.URL, "PAPERFS_USERNAME="+m.service.Username, "PAPERFS_PASSWORD="+m.service.Password, "PAPERFS_RPM=0",
		"PAPERFS="+paperfs, "LC_ALL=C.UTF-8")
}

// stop unmounts as ^C does and waits until the program has ended.
func (m *mounted) stop() {
	m.t.Helper()
	require.NoError(m.t, m.process.Process.Signal(syscall.SIGINT))
	select {
	case <-m.exited:
		require.Zero(m.t, m.process.ProcessState.ExitCode(), "%s", m.stderr)
	case <-time.After(testrun.Patience()):
		_ = m.process.Process.Signal(syscall.SIGQUIT) // makes it print its goroutines
		<-m.exited
		m.t.Fatalf("the mount did not end:\n%s", m.stderr)
	}
}

// remount stops the mount and starts it again with the same state.
func (m *mounted) remount(flags ...string) {
	m.t.Helper()
	m.stop()
	m.start(flags...)
}

// kill kills the mount and detaches it, whatever its state.
func (m *mounted) kill() {
	if m.exited == nil { // it did not start
		return
	}
	_ = m.process.Process.Signal(syscall.SIGTERM)
	_ = mountpoint.Detach(m.dir)
	_ = m.process.Process.Kill()
	select {
	case <-m.exited: // the cleanup removes directories that it writes to
	case <-time.After(testrun.Patience()):
		m.t.Error("the killed mount does not end")
	}
	assert.NotContains(m.t, m.stderr.String(), "DATA RACE")
	if m.t.Failed() {
		m.t.Logf("the mount said:\n%s", m.stderr)
	}
}

// sh runs a bash script in the mount. Each of its commands must succeed. It returns the script's
// output without the last newline.
func (m *mounted) sh(script string) string {
	m.t.Helper()
	out, err := m.run("bash", "set -e; "+script)
	programtest.RequirePrograms(m.t, err, out)
	if err != nil {
		m.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

// fails runs a script that must fail, and returns its output.
func (m *mounted) fails(script string) string {
	m.t.Helper()
	out, err := m.run("bash", script)
	programtest.RequirePrograms(m.t, err, out)
	if err == nil {
		m.t.Fatalf("%s: succeeded\n%s", script, out)
	}
	return out
}

func (m *mounted) run(shell, script string) (string, error) {
	cmd := programtest.Command(m.t, testrun.Patience(), shell, "-c", script)
	cmd.Dir, cmd.Env = m.dir, m.environment()
	out, err := cmd.CombinedOutput()
	return waits.ReplaceAllString(string(out), ""), err
}

// waits is what a command says of itself on a busy machine.
var waits = regexp.MustCompile(`(?m)^paperfs: waiting for process .* does not answer; \^C ends the wait\n`)

// cost returns the operations that a script costs, in order.
func (m *mounted) cost(script string) []string {
	m.t.Helper()
	_, polled := m.askedAfter(false)
	m.proxy.Reset()
	m.sh(script)
	ops, _ := m.askedAfter(polled)
	return ops
}

// asked returns the operations since the proxy's last reset, without the polls of jobs, which the
// mount sends by itself, and the structure that it fetches when a job has ended.
func (m *mounted) asked() []string {
	ops, _ := m.askedAfter(false)
	return ops
}

// askedAfter is asked. poll says whether a poll's structure may still come.
func (m *mounted) askedAfter(poll bool) ([]string, bool) {
	var ops []string
	for _, r := range m.proxy.Requests() {
		switch {
		case r.Op == nil, r.Op == remote.Wait: // it is held
		case r.Op == remote.GetProcessingStatus:
			poll = true
		case r.Op == remote.GetPaperStructure && poll: // other requests may have come between
			poll = false
		default:
			ops = append(ops, r.Op.Name)
		}
	}
	return ops, poll
}

// longestPause is the longest pause before a condition is looked at again. The first ones are
// shorter, and a program that looks needs the processor longer than that.
const longestPause = 100 * time.Millisecond

// eventually waits until a script succeeds.
func (m *mounted) eventually(script string) {
	m.t.Helper()
	// Nothing comes from the pipe: bash waits for it itself, without a program.
	out, err := m.run("bash", "exec {pipe}<> <(:); pause=5; until "+script+`; do
		printf -v seconds 0.%03d $pause; read -rt $seconds -u $pipe || :
		pause=$((pause < 50 ? 2 * pause : pause < 300 ? pause + 20 : 300))
	done`)
	if err != nil {
		m.t.Fatalf("waited in vain until: %s: %v\n%s", script, err, out)
	}
}

// attempted waits until a queued file could not be sent.
func (m *mounted) attempted(path string) {
	m.t.Helper()
	m.eventually(`grep -q 'waiting "` + path + `" [0-9]* bytes[:,]' .paperfs/uploads`)
}

// client speaks to the service directly, past the proxy.
func (m *mounted) client() *remote.Client {
	c := testrun.Must(remote.New(remote.Options{BaseURL: m.service.URL, Username: m.service.Username, Password: m.service.Password}))(m.t)
	m.t.Cleanup(c.Close)
	return c
}

// output collects a program's output.
type output struct {
	mu      sync.Mutex
	b       bytes.Buffer
	changed chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.changed <- struct{}{}:
	default:
	}
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func (o *output) waitFor(word string, ended <-chan struct{}) bool {
	limit := time.After(testrun.Patience())
	for {
		if strings.Contains(o.String(), word) {
			return true
		}
		select {
		case <-o.changed:
		case <-ended:
			return strings.Contains(o.String(), word)
		case <-limit:
			return false
		}
	}
}

// forgetState stops the mount and deletes its state.
func (m *mounted) forgetState() {
	m.t.Helper()
	m.stop()
	m.forgetTrees()
}

// forgetTrees deletes the state of a mount that has ended.
func (m *mounted) forgetTrees() {
	m.t.Helper()
	for _, dir := range []string{"state", "cache"} {
		require.NoError(m.t, os.RemoveAll(filepath.Join(m.home, dir)))
	}
}

// waitForRequest waits until the proxy has seen an operation.
func (m *mounted) waitForRequest(op *remote.Operation) {
	m.t.Helper()
	until(m.t, op.Name+" is asked of the service", func() bool { return m.proxy.Count(op) > 0 })
}

// times returns how often a test repeats what may happen at any moment.
func times(usually, withTime int) int {
	if testrun.All() {
		return withTime
	}
	return usually
}

// until waits until a condition holds. what says in words when it does.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	limit := time.Now().Add(testrun.Patience())
	for pause := time.Millisecond; !holds(); pause = min(2*pause, longestPause) {
		if time.Now().After(limit) {
			t.Fatalf("waited in vain until %s", what)
		}
		time.Sleep(pause)
	}
}

// refuse answers an operation in place of the service, which does not receive it.
func (m *mounted) refuse(op *remote.Operation, body string) {
	m.proxy.Answer(op, func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		_, _ = io.WriteString(w, `<?xml version="1.0" encoding="utf-8"?>`+body)
		return true
	})
}

// crash kills the mount as a power cut does, and detaches the stale mount.
func (m *mounted) crash() {
	m.t.Helper()
	require.NoError(m.t, m.process.Process.Kill())
	<-m.exited
	m.detach()
}

// detach detaches the mount, whatever its process does.
func (m *mounted) detach() {
	m.t.Helper()
	require.NoError(m.t, mountpoint.Detach(m.dir))
}
