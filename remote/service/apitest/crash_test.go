package apitest

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/service/pdf"
	"paperfs/remote/testrun"
)

const serveEnv = "SERVICE_TEST_DATA"

// TestMain lets the test binary serve a data directory in its own process, so that a test can kill
// it.
func TestMain(m *testing.M) {
	pdf.RunIfWorker()
	data := os.Getenv(serveEnv)
	if data == "" {
		temporary.InMemory()
		testrun.Short(short...)
		testrun.SideBySide(12)
		fewChecks()
		os.Exit(servicetest.RunRemembering(m))
	}
	s, err := service.Open(service.Options{Data: data, PDFCache: servicetest.PDFCache(), PDFWorker: pdftest.Command(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(httptest.NewServer(s).URL)
	_, _ = io.Copy(io.Discard, os.Stdin) // ends with the parent at the latest
}

// child is a service in its own process.
type child struct {
	server
	command *exec.Cmd
	stdin   io.Closer
}

func startChild(t *testing.T, data string) *child {
	allInFiles(t)
	c := &child{server: server{t: t, data: data}, command: exec.Command(os.Args[0])}
	c.command.Env = append(os.Environ(), serveEnv+"="+data)
	out := testrun.Must(c.command.StdoutPipe())(t)
	c.stdin = testrun.Must(c.command.StdinPipe())(t)
	require.NoError(t, c.command.Start())
	t.Cleanup(c.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, line)
	c.http = &httptest.Server{URL: strings.TrimSpace(line)}
	require.True(t, strings.HasPrefix(c.http.URL, "http://"), line)
	env := testrun.Must(datadir.ReadClientEnv(data))(t)
	c.user, c.key = env.Username, env.Password
	return c
}

func (c *child) kill() {
	_ = c.command.Process.Kill()
	_ = c.command.Wait()
	_ = c.stdin.Close()
}

// promises records the changes that the service answered with SUCCESS.
type promises struct {
	mu    sync.Mutex
	nodes map[string]string // names by id
	files map[string]string // digests by name of the last confirmed content
	maybe map[string]string // digests by name of content without an answer
	count int               // all confirmed changes
}

// try posts a change. It returns false once the service has stopped.
func (c *child) try(op *remote.Operation, pairs ...string) (reply, bool) {
	form := c.credentials(op)
	for name, values := range params(pairs...) {
		form[name] = values
	}
	resp, err := http.Post(c.http.URL+op.Path(), "application/x-www-form-urlencoded", strings.NewReader(credentialsFirst(form)))
	if err != nil {
		return reply{}, false
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return reply{}, false
	}
	r := reply{status: resp.StatusCode, body: string(body)}
	r.readEnvelope(c.t)
	return r, true
}

// work makes changes until the service is killed. Each worker overwrites its own media file.
func (c *child) work(p *promises, worker, round int, root string) {
	for i := 0; ; i++ {
		name := fmt.Sprintf("r%d-w%d-n%d", round, worker, i)
		r, ok := c.try(remote.CreateCategory, "parentID", root, "name", name, "urlName", name)
		if !ok {
			return
		}
		p.keep(func() { p.nodes[r.attribute(c.t, "id")] = name; p.count++ })

		content := []byte(strings.Repeat(name, 1+rand.IntN(20_000)))
		sum := sha256.Sum256(content)
		digest, file := hex.EncodeToString(sum[:]), fmt.Sprintf("w%d", worker)
		p.keep(func() { p.maybe[file] = digest })
		if _, ok = c.try(remote.UploadFile, "parentID", "0", "name", file, "base64File", base64.StdEncoding.EncodeToString(content)); !ok {
			return
		}
		p.keep(func() { p.files[file] = digest; delete(p.maybe, file); p.count++ })
	}
}

func (p *promises) keep(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

// check requires that all promises are kept and that a check finds no problem.
func (p *promises) check(c *child) {
	tree := c.must(remote.GetAllPapers, "paperID", c.root()).data
	for id, name := range p.nodes {
		require.Contains(c.t, tree, fmt.Sprintf(`id="%s" name="%s"`, id, name))
	}
	there := map[string]bool{}
	for _, f := range c.mediaFiles() {
		there[f.Name] = true
		require.Contains(c.t, []string{p.files[f.Name], p.maybe[f.Name]}, f.SHA256, f.Name)
		r := c.get(f.URL)
		require.Equal(c.t, f.SHA256, fmt.Sprintf("%x", sha256.Sum256([]byte(r.body))), "content of %s", f.Name)
		p.files[f.Name] = f.SHA256
	}
	for name := range p.files {
		require.True(c.t, there[name], name)
	}
	clear(p.maybe)
	// Content without a record stays for a day, then goes to the trash.
	require.GreaterOrEqual(c.t, c.contents(), len(there))
}

func TestAnsweredChangesSurviveAKill(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := &promises{nodes: map[string]string{}, files: map[string]string{}, maybe: map[string]string{}}
	rounds := 2
	if testrun.All() {
		rounds = 4
	}
	for round := range rounds {
		c := startChild(t, data)
		p.check(c)
		root := c.root()
		target := p.count + 20 + rand.IntN(60)
		var workers sync.WaitGroup
		for worker := range 3 {
			workers.Go(func() { c.work(p, worker, round, root) })
		}
		for reached := false; !reached; { // poll: the rate of changes depends on the disk
			p.keep(func() { reached = p.count >= target })
			if !reached {
				_, _ = c.try(remote.GetSettingDescriptions)
			}
		}
		c.kill()
		workers.Wait()
	}
	p.check(startChild(t, data))
}

// TestARestoreThatIsKilledIsAllOrNothing kills the service at several moments of a Restore. What came back is there
// with its content, or nothing is; the next Restore brings back what is missing.
func TestARestoreThatIsKilledIsAllOrNothing(t *testing.T) {
	t.Parallel()
	many := 80
	if testrun.All() {
		many = 500
	}
	c := startChild(t, t.TempDir())
	dir := c.must(remote.CreateDirectory, "parentID", "0", "name", "d").element(t, "directoryid")
	var ids []string
	for i := range many {
		ids = append(ids, c.upload(dir, fmt.Sprintf("f%d", i), strings.Repeat("x", 1+i%3*40_000))) // small ones are records, large ones files
	}
	before := c.places()
	remove := func() {
		for _, id := range ids {
			c.must(remote.DeleteFile, "fileID", id)
		}
		c.must(remote.DeleteDirectory, "directoryID", dir)
	}
	all := []string{"path", "/media", "since", "2001-01-01"}
	remove()
	began := time.Now()
	require.Len(t, c.must(remote.Restore, all...).entries(t, "restored"), many+1)
	whole := time.Since(began)
	t.Logf("%d files and their directory came back in %v", many, whole)
	for i := range 4 {
		remove()
		var call sync.WaitGroup
		call.Go(func() { c.try(remote.Restore, all...) })
		time.Sleep(whole * time.Duration(2*i+1) / 8)
		c.kill()
		call.Wait()
		c = startChild(t, c.data)
		if places := c.places(); len(places) > 0 {
			require.Equal(t, before, places)
		}
		c.sound()
		c.must(remote.Restore, all...)
		require.Equal(t, before, c.places())
		require.Len(t, c.content("POST", ids[2], "").body, 80_001)
	}
	c.sound()
}
