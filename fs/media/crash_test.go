package media_test

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/remote/service"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// These variables make TestServiceChild the service to kill. The service inherits its listener,
// which therefore stays open while no service runs.
const serveData, serveURL = "MEDIA_TEST_SERVICE_DATA", "MEDIA_TEST_SERVICE_URL"

// mortal is a service in its own process, which the test can kill.
type mortal struct {
	t        *testing.T
	data     string
	url      string
	listener *os.File
	child    *exec.Cmd
}

func newMortal(t *testing.T) *mortal {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	file, err := l.(*net.TCPListener).File()
	require.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	s := &mortal{t: t, data: t.TempDir(), url: "http://" + l.Addr().String(), listener: file}
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *mortal) start() {
	s.child = programtest.Command(s.t, 0, os.Args[0], "-test.run=^TestServiceChild$")
	s.child.Env = append(os.Environ(), serveData+"="+s.data, serveURL+"="+s.url)
	s.child.ExtraFiles = []*os.File{s.listener}
	out, err := s.child.StdoutPipe()
	require.NoError(s.t, err)
	_, err = s.child.StdinPipe() // the child exits at the end of its input
	require.NoError(s.t, err)
	require.NoError(s.t, s.child.Start())
	said := ""
	for lines := bufio.NewScanner(out); lines.Scan(); said += lines.Text() + "\n" {
		if lines.Text() == "serving" {
			return
		}
	}
	s.t.Fatalf("the service does not start:\n%s", said)
}

func (s *mortal) kill() {
	_ = s.child.Process.Kill()
	_ = s.child.Wait()
}

func (s *mortal) fixture() *servicetest.Fixture {
	env, err := datadir.ReadClientEnv(s.data)
	require.NoError(s.t, err)
	return &servicetest.Fixture{URL: s.url, Username: env.Username, Password: env.Password}
}

func TestServiceChild(t *testing.T) {
	if os.Getenv(serveData) == "" {
		t.Skip("the service that TestCrashes kills")
	}
	s, err := service.Open(service.Options{Data: os.Getenv(serveData)})
	require.NoError(t, err)
	require.NoError(t, s.WriteClientEnv(os.Getenv(serveURL), 0))
	l, err := net.FileListener(os.NewFile(3, "listener"))
	require.NoError(t, err)
	fmt.Println("serving")
	go func() { _ = http.Serve(l, s) }()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// TestCrashes makes programs change media/ at random and kills the mount, the service or both. After
// the next mount, the effect of each successful call is on the service, or its content is in failed/.
// A call under way had all of its effect or none, and no file exists that was never closed.
func TestCrashes(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"delete", "delete write-back"} {
		t.Run(mode, func(t *testing.T) {
			var options []func(*media.Options)
			for name := range strings.FieldsSeq(mode) {
				options = append(options, childModes[name])
			}
			t.Parallel()
			s := newMortal(t)
			m := newMountOn(t, s.fixture(), options...)
			m.stop()
			c := &crashes{mount: m, service: s, mode: mode, now: model{}, held: map[string][]string{}, random: rand.New(rand.NewPCG(rand.Uint64(), 0))}
			for round := range rounds() {
				c.round(round)
			}
		})
	}
}

// rounds returns the number of crashes of TestCrashes in each mode.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("PAPERFS_TEST_KILLS")); err == nil {
		return n
	}
	if testrun.All() {
		return 6
	}
	return 3 // one for each of what can be killed
}

// model has the content of each path; directories end in a slash.
type model map[string]string

// crashes is a mount, its service, and what they should contain.
type crashes struct {
	*mount
	service *mortal
	mode    string
	random  *rand.Rand
	now     model
	held    map[string][]string // all contents that each path has had
	writes  int
}

// op is a bash command, and the files that exist after it.
type op struct {
	command string
	then    model
}

// write returns a command that writes a file and fails if the close fails, which a shell redirection
// does not do.
func write(text, path string) string {
	return fmt.Sprintf("printf %%s '%s' | dd status=none of=%s", text, path)
}

// next returns a random change of m.
func (c *crashes) next(m model) op {
	then := maps.Clone(m)
	p := c.any("a", "b", "x/a", "x/b")
	content, there := m[p]
	c.writes++
	text := fmt.Sprintf("[%d]", c.writes)
	switch c.random.IntN(8) {
	case 0, 1:
		then[p] = text
		return op{write(text, p), then}
	case 2:
		then[p] = content + text
		return op{write(text, p) + " oflag=append conv=notrunc", then}
	case 3, 4:
		then[p] = text
		return op{write(text, ".t") + " && mv .t " + p, then}
	case 5:
		dir := fmt.Sprintf("d%d/", c.writes)
		then[dir] = ""
		return op{"mkdir " + dir, then}
	case 6:
		to := c.any("a", "b", "x/a", "x/b")
		if !there || to == p {
			return c.next(m)
		}
		delete(then, p)
		then[to] = content
		return op{fmt.Sprintf("mv %s %s", p, to), then}
	}
	if !there {
		return c.next(m)
	}
	delete(then, p)
	return op{"rm " + p, then}
}

func (c *crashes) any(of ...string) string { return of[c.random.IntN(len(of))] }

const opsOfRound = 40

// round runs a script of random changes, kills the mount or the service in the middle of it, and
// compares.
func (c *crashes) round(n int) {
	if n == 0 {
		c.now["x/"] = ""
	}
	ops := make([]op, opsOfRound)
	script := "set -o pipefail; mkdir -p media/x && cd media || exit\n"
	for i, m := 0, c.now; i < opsOfRound; i++ {
		ops[i] = c.next(m)
		m = ops[i].then
		script += fmt.Sprintf("%s && echo done || exit\n", ops[i].command)
	}
	child := c.startChild(c.service.fixture(), c.mode)
	program := c.command(script)
	out, err := program.StdoutPipe()
	require.NoError(c.t, err)
	require.NoError(c.t, program.Start())
	done, stop := 0, 1+c.random.IntN(opsOfRound-1)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if done++; done != stop {
			continue
		}
		time.Sleep(time.Duration(c.random.IntN(10000)) * time.Microsecond) // to kill at any point of the next changes
		if n%3 != 1 {
			c.killMount(child)
		}
		if n%3 != 0 {
			c.service.kill()
			c.service.start()
		}
	}
	_ = program.Wait() // fails if the mount was killed
	c.killMount(child)
	_ = child.Wait()
	c.compare(ops, done)
}

func (c *crashes) killMount(child *exec.Cmd) {
	require.NoError(c.t, child.Process.Kill())
	_ = mountpoint.Detach(c.dir)
}

// compare mounts again and checks the service's files; done is the number of ops that succeeded.
func (c *crashes) compare(ops []op, done int) {
	before, after, doing := c.now, c.now, "nothing"
	for i := range ops[:min(done+1, len(ops))] {
		before, after, doing = after, ops[i].then, ops[i].command
		for p, content := range after {
			c.held[p] = append(c.held[p], content)
		}
	}
	if done == len(ops) {
		before = after
	}
	c.start()
	defer c.stop()
	c.drained()
	var found model
	var wrong []string
	for deadline := time.Now().Add(testrun.Patience()); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		// The service may still be processing earlier requests.
		if found, wrong = c.found(); len(wrong) == 0 {
			wrong = c.wrong(before, after, found)
		}
		if len(wrong) == 0 {
			break
		}
	}
	require.Empty(c.t, wrong, "%d done, then %s\nbefore %v\nafter %v\nfound %v\nfailed %v", done, doing, before, after, found, c.failed())
	for _, e := range c.store.Failed() {
		require.NoError(c.t, c.store.DiscardFailed(e.Name))
	}
	c.now = found
}

// found returns the service's files. wrong lists files with content that no program wrote.
func (c *crashes) found() (found model, wrong []string) {
	require.NoError(c.t, c.store.Refresh(c.t.Context()))
	known := map[string]string{}
	for _, contents := range c.held {
		for _, content := range contents {
			known[sum(content)] = content
		}
	}
	found = model{}
	for p, digest := range c.atService() {
		content, ok := known[digest]
		if found[p] = content; !ok {
			wrong = append(wrong, p+" has content that no program has closed")
		}
	}
	for p := range c.ids() {
		if strings.HasSuffix(p, "/") {
			found[p] = ""
		}
	}
	return found, wrong
}

// wrong lists violations of the rules of TestCrashes.
func (c *crashes) wrong(before, after, found model) (list []string) {
	paths := maps.Clone(before)
	maps.Copy(paths, after)
	maps.Copy(paths, found)
	for p := range paths {
		was, wasThere := before[p]
		will, willBe := after[p]
		is, isThere := found[p]
		if (isThere != wasThere || is != was) && (isThere != willBe || is != will) {
			list = append(list, fmt.Sprintf("%s: %q (%t)", p, is, isThere))
		}
	}
	somewhere := slices.Concat(slices.Collect(maps.Values(found)), c.failed())
	for _, content := range before {
		if slices.Contains(slices.Collect(maps.Values(after)), content) && !slices.Contains(somewhere, content) {
			list = append(list, content+" is lost")
		}
	}
	return list
}

// failed returns the contents of failed/.
func (c *crashes) failed() (contents []string) {
	for _, e := range c.store.Failed() {
		f, err := c.store.OpenFailed(e.Name)
		require.NoError(c.t, err)
		content, err := io.ReadAll(f)
		require.NoError(c.t, err)
		f.Close()
		contents = append(contents, string(content))
	}
	return contents
}
