package main

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// environment is the environment of a user with an empty home.
type environment struct {
	t       *testing.T
	home    string
	program string // the program under test
	vars    []string
	user    *syscall.Credential // nil for the user who runs the tests
	log     *os.File            // stderr of started programs, in place of process.stderr
}

func newEnvironment(t *testing.T) *environment {
	home := testrun.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	return &environment{t: t, home: home, program: program, vars: programtest.Bare("HOME=" + home)}
}

func (e *environment) set(name, value string) { e.vars = append(e.vars, name+"="+value) }

func (e *environment) path(parts ...string) string {
	return filepath.Join(append([]string{e.home}, parts...)...)
}

// run runs the command until it exits.
func (e *environment) run(args ...string) (code int, stdout, stderr string) {
	e.t.Helper()
	p := e.start(args...)
	return p.wait(), p.stdout.String(), p.stderr.String()
}

// succeed runs the command and returns its output.
func (e *environment) succeed(args ...string) string {
	e.t.Helper()
	code, stdout, stderr := e.run(args...)
	require.Equal(e.t, 0, code, "paperfs %s: %s", strings.Join(args, " "), stderr)
	return stdout
}

// fail runs the command and requires an exit code and a part of stderr.
func (e *environment) fail(code int, says string, args ...string) {
	e.t.Helper()
	got, _, stderr := e.run(args...)
	require.Equal(e.t, code, got, "paperfs %s: %s", strings.Join(args, " "), stderr)
	require.Contains(e.t, stderr, says)
}

// process is a running command.
type process struct {
	t              *testing.T
	cmd            *exec.Cmd
	stdout, stderr *output
	ended          chan struct{}
}

// start starts the command, which is killed at the end of the test at the latest.
func (e *environment) start(args ...string) *process {
	e.t.Helper()
	return e.launch(programtest.Command(e.t, 0, e.program, args...))
}

func (e *environment) launch(cmd *exec.Cmd) *process {
	e.t.Helper()
	p := e.prepare(cmd)
	p.begin()
	return p
}

// prepare returns a process that begin starts.
func (e *environment) prepare(cmd *exec.Cmd) *process {
	p := &process{t: e.t, cmd: cmd, stdout: newOutput(), stderr: newOutput(), ended: make(chan struct{})}
	p.cmd.Env, p.cmd.Dir = e.vars, e.home
	p.cmd.Stdout, p.cmd.Stderr = p.stdout, p.stderr
	if e.log != nil {
		p.cmd.Stderr = e.log
	}
	p.cmd.SysProcAttr.Credential = e.user
	return p
}

func (p *process) begin() {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	p.t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.ended
	})
}

func (p *process) wait() int {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(testrun.Patience()):
		p.signal(syscall.SIGQUIT) // makes it print its goroutines
		<-p.ended
		p.t.Fatalf("%v does not end:\n%s", p.cmd.Args, p.stderr)
	}
	return p.cmd.ProcessState.ExitCode()
}

func (p *process) signal(s syscall.Signal) { require.NoError(p.t, p.cmd.Process.Signal(s)) }

// ends ends the process by a signal, after which it has to succeed.
func (p *process) ends(s syscall.Signal) {
	p.t.Helper()
	p.signal(s)
	require.Equal(p.t, cli.ExitOK, p.wait())
}

// stop stops the process, and returns when none of its threads runs any more.
func (p *process) stop() {
	p.t.Helper()
	p.signal(syscall.SIGSTOP)
	var info unix.Siginfo
	err := error(unix.EINTR)
	for err == unix.EINTR {
		err = unix.Waitid(unix.P_PID, p.cmd.Process.Pid, &info, unix.WSTOPPED|unix.WEXITED|unix.WNOWAIT, nil)
	}
	require.NoError(p.t, err)
}

// says waits until stderr has a line with text and returns the line.
func (p *process) says(text string) string {
	p.t.Helper()
	limit := time.After(testrun.Patience())
	for ended := p.ended; ; {
		more := p.stderr.more()
		for line := range strings.Lines(p.stderr.String()) {
			if strings.Contains(line, text) && strings.HasSuffix(line, "\n") {
				return strings.TrimSuffix(line, "\n")
			}
		}
		if ended == nil {
			p.t.Fatalf("%v ended without printing %q:\n%s", p.cmd.Args, text, p.stderr)
		}
		select {
		case <-more:
		case <-ended:
			ended = nil // its output is now complete
		case <-limit:
			p.t.Fatalf("%v does not print %q:\n%s", p.cmd.Args, text, p.stderr)
		}
	}
}

// output collects a process's output.
type output struct {
	mu      sync.Mutex
	text    bytes.Buffer  // guarded by mu
	changed chan struct{} // guarded by mu; closed at the next write
}

func newOutput() *output { return &output{changed: make(chan struct{})} }

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.changed)
	o.changed = make(chan struct{})
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// more returns a channel that is closed once there is more output than String returns now.
func (o *output) more() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.changed
}

// clientEnv reads the client.env of a data directory.
func clientEnv(t *testing.T, data string) map[string]string {
	content := testrun.Must(os.ReadFile(filepath.Join(data, "client.env")))(t)
	env := map[string]string{}
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		env[name] = value
	}
	return env
}

// call calls an operation by POST and returns the answer's body.
func call(t *testing.T, client *http.Client, base, group, operation string, params url.Values) (status int, body string) {
	reply := testrun.Must(client.PostForm(base+"/V2/"+group+".asmx/"+operation, params))(t)
	defer reply.Body.Close()
	return reply.StatusCode, string(testrun.Must(io.ReadAll(reply.Body))(t))
}

func TestLocalPatterns(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--local", "*.bak", "--local", "Drafts")
	e.must("echo a > media/a.bak && mkdir media/Drafts && echo b > media/Drafts/b && echo c > media/c")
	for path, want := range map[string]string{"a.bak": "local", "Drafts/b": "local", "c": "published"} {
		require.Regexp(t, "state: +"+want, e.succeed("stat", e.path("ipaper/media", path)), path)
	}
	list := e.succeed("status", "--local", e.path("ipaper"))
	require.Regexp(t, `^media/Drafts/ +1 file, 2 B +since \d{4}-.*\nmedia/a\.bak +2 B +since \d{4}-.*\n$`, list)
	require.Contains(t, e.succeed("status", "--local", "--json", e.path("ipaper")), `"path": "Drafts/"`)
	e.must("mv media/a.bak media/a")
	require.Regexp(t, "state: +published", e.succeed("stat", e.path("ipaper/media/a")))
}

// TestCommandsTakeTheMountThatTheyStandIn checks status, wait and doctor without an argument, and what the list of mounts says. Other
// tests have mounts of the same user, so outside of a mount there may be several.
func TestCommandsTakeTheMountThatTheyStandIn(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.set("PAPERFS", e.program)
	out := e.must(`mkdir -p papers/A && cd papers/A && "$PAPERFS" status && "$PAPERFS" wait && "$PAPERFS" doctor`)
	require.Contains(t, out, e.path("ipaper")+" since")
	require.Contains(t, out, e.path("ipaper")+" answers")
	require.Regexp(t, `(?m)^`+e.path("ipaper")+` +http://127`, e.succeed("mounts"))

	other := newEnvironment(t)
	other.mount()
	other.fail(cli.ExitUsage, "you have several mounts, and are in none of them, so name one: ", "status")
}

// TestHintsCanBePasted checks that a command in an error message works in a shell, whatever
// characters the path contains.
func TestHintsCanBePasted(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PATH", filepath.Dir(e.program)+":"+os.Getenv("PATH"))
	e.mount()
	e.must(`mkdir "papers/a b'c.paper"`)
	hint := func(form string, args ...string) string {
		code, _, stderr := e.run(args...)
		require.Equal(t, cli.ExitFailure, code)
		found := regexp.MustCompile(form).FindStringSubmatch(stderr)
		require.Len(t, found, 2, stderr)
		return found[1]
	}
	require.Contains(t, e.must(hint("`(paperfs why .*)` says more", "url", "--preview=-1", e.path("ipaper/papers/a b'c.paper"))), "preview failed with EINVAL")

	for _, name := range []string{"a b'c", "red\x1b[31m\nand 'torn\xff"} {
		data := e.path(name)
		serve := hint("`(paperfs serve --data .*)` sets it up", "admin", "--data", data, "check")
		require.Equal(t, data, pasted(t, "set -- "+serve+` && printf %s "$4"`))
	}
}

// pasted returns an interactive shell's output for a line.
func pasted(t *testing.T, line string) string {
	t.Helper()
	return string(testrun.Must(programtest.Command(t, testrun.Patience(), "bash", "-c", line).Output())(t))
}
