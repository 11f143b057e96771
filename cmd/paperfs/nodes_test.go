package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/testrun"
)

// cluster is what the nodes of a test share.
type cluster struct {
	*environment
	database, objects string // addresses
	key               string // of the account APIKey
}

// newCluster sets up a database and a place for objects, as an operator does.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := withoutRecords(t)
	c.init()
	return c
}

// init sets the database up.
func (c *cluster) init() {
	c.t.Helper()
	c.key = strings.TrimSpace(c.admin("init"))
	require.Len(c.t, c.key, 64)
}

// withoutRecords returns a cluster with an empty database, for a long test.
func withoutRecords(t *testing.T) *cluster {
	t.Helper()
	testrun.Long(t, "runs nodes on PostgreSQL and an object store")
	return engines(t)
}

// engines returns a cluster with an empty database.
func engines(t *testing.T) *cluster {
	t.Helper()
	database := enginetest.EmptyDatabase(t)
	c := &cluster{environment: newEnvironment(t), database: database, objects: enginetest.SharedObjectStore(t).AddressBeside(t)}
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		c.set(name, os.Getenv(name))
	}
	return c
}

// admin runs paperfs admin on the shared engines.
func (c *cluster) admin(args ...string) string {
	c.t.Helper()
	return c.succeed(append([]string{"admin", "--database", c.database, "--objects", c.objects}, args...)...)
}

// arguments returns a node's arguments.
func (c *cluster) arguments(name string) []string {
	return []string{"serve", "--database", c.database, "--objects", c.objects, "--scratch", c.path("scratch-" + name), "--node", name,
		"--listen", "127.0.0.1:0", "--admin-listen", c.path(name + ".sock")}
}

// node starts a node and returns how a client reaches it.
func (c *cluster) node(name string, args ...string) (*process, map[string]string) {
	c.t.Helper()
	p := c.start(append(c.arguments(name), args...)...)
	_, address, _ := strings.Cut(p.says("paperfs: serving "), " at ")
	return p, map[string]string{"PAPERFS_URL": address, "PAPERFS_USERNAME": "APIKey", "PAPERFS_PASSWORD": c.key}
}

// ask calls an operation of a node with good credentials.
func (c *cluster) ask(env map[string]string, group, operation string, pairs ...string) (status int, body string) {
	c.t.Helper()
	name, key := []string{env["PAPERFS_USERNAME"]}, []string{env["PAPERFS_PASSWORD"]}
	form := url.Values{"username": name, "plUsername": name, "password": key, "plPassword": key}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return call(c.t, http.DefaultClient, env["PAPERFS_URL"], group, operation, form)
}

// get requests an operator page from a node.
func (c *cluster) get(node, path string) (status int, body string) {
	c.t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", c.path(node+".sock"))
	}}
	defer transport.CloseIdleConnections()
	reply := testrun.Must((&http.Client{Transport: transport}).Get("http://admin" + path))(c.t)
	defer reply.Body.Close()
	return reply.StatusCode, string(testrun.Must(io.ReadAll(reply.Body))(c.t))
}

// sentPDF is a PDF that the test sent for processing.
type sentPDF struct {
	paper string // its id
	job   string // "" if the outcome is unknown
	own   bool   // no other PDF is sent to this paper
}

// publish creates a paper from a PDF. It waits for the pages only a moment, so that jobs of a
// killed node do not delay everything until their leases end.
func (f *traffic) publish(name string) {
	paper := f.create("CreatePaper", name)
	if paper == "" {
		return
	}
	sent := f.process(paper, true)
	if sent.job == "" {
		return
	}
	for range 100 {
		if _, body := f.ask("Ripper", "GetProcessingStatus", "jobGuid", sent.job); isOver(body) {
			return
		}
		select {
		case <-f.stop:
			return
		case <-time.After(pause):
		}
	}
}

func isOver(status string) bool {
	return strings.Contains(status, "Completed") || strings.Contains(status, "Failed")
}

// process sends a PDF to a paper. The service refuses it while another is pending.
func (f *traffic) process(paper string, own bool) *sentPDF {
	code, body := f.ask("Ripper", "ProcessPDF", "paperID", paper, "xmlOptions", "", "base64Pdf", f.pdf)
	sent := &sentPDF{paper: paper, own: own}
	if code == "SUCCESS" {
		sent.job = regexp.MustCompile(`<jobGuid><!\[CDATA\[(.*?)\]\]></jobGuid>`).FindStringSubmatch(body)[1]
	}
	f.keep(func() {
		f.sent = append(f.sent, sent)
		if own && code != "" && code != "SUCCESS" {
			f.strange = append(f.strange, "ProcessPDF: "+code)
		}
	})
	return sent
}

// check requires that a node has everything that was answered, complete and once.
func (f *traffic) check(t *testing.T, node map[string]string, g playground) {
	t.Helper()
	require.Empty(t, f.strange)
	f.checkJobs(t, node)
	_, tree := f.c.ask(node, "Paper", "GetAllPapers", "paperID", "1")
	names := regexp.MustCompile(` name="([wp]\d+-\d+)" `).FindAllStringSubmatch(tree, -1)
	seen := map[string]int{}
	for _, n := range names {
		seen[n[1]]++
		require.Equal(t, 1, seen[n[1]], n[1])
		require.True(t, f.made[n[1]] || f.maybe[n[1]], n[1])
	}
	for name := range f.made {
		require.Equal(t, 1, seen[name], "%s was answered SUCCESS", name)
	}
	for _, id := range slices.Concat(g.shared, g.own) {
		require.Len(t, regexp.MustCompile(` id="`+id+`" `).FindAllString(tree, -1), 1, "each id is in the tree once: there is no cycle")
	}
	for name, places := range f.places {
		at := regexp.MustCompile(` url="([^"]*/` + name + `/)"`).FindStringSubmatch(tree)
		require.Len(t, at, 2, name)
		require.Contains(t, places, at[1])
	}
	f.checkFiles(t, node)
	t.Logf("%d changes answered SUCCESS, %d categories and papers created, %d with unknown outcome", f.count, len(f.made), len(f.maybe))
}

// checkFiles requires that each file has the content last answered SUCCESS, or content sent later.
func (f *traffic) checkFiles(t *testing.T, node map[string]string) {
	t.Helper()
	_, media := f.c.ask(node, "Media", "GetTree")
	for name, digests := range f.files {
		there := strings.Count(media, `name="`+name+`"`)
		if !f.sure[name] && there == 0 {
			continue
		}
		require.Equal(t, 1, there, name)
		sum := sha256.Sum256([]byte(f.c.download(media, name)))
		require.True(t, slices.Contains(digests, hex.EncodeToString(sum[:])), name)
	}
}

// checkJobs requires that each job ended once, that papers have all pages or none, and that a paper
// whose only PDF was processed has all.
func (f *traffic) checkJobs(t *testing.T, node map[string]string) {
	t.Helper()
	require.Eventually(t, func() bool {
		var pending int
		f.c.query(`SELECT count(*) FROM job_work`, &pending)
		return pending == 0
	}, 3*testrun.Patience(), pause) // there may be dozens, and the leases of killed nodes end first
	answered, completed, unknown := 0, 0, 0
	for _, sent := range f.sent {
		_, body := f.c.ask(node, "Paper", "GetPaperStructure", "paperID", sent.paper, "includeIndexedText", "false")
		pages := strings.Count(body, "<page ")
		require.True(t, pages == 0 || pages == trafficPages, body)
		if sent.own {
			var jobs int
			f.c.query(`SELECT count(*) FROM job WHERE node = `+sent.paper, &jobs)
			require.LessOrEqual(t, jobs, 1, "the PDF was sent once")
		}
		if sent.job == "" {
			unknown++
			continue
		}
		answered++
		_, status := f.c.ask(node, "Ripper", "GetProcessingStatus", "jobGuid", sent.job)
		require.True(t, isOver(status), status)
		if strings.Contains(status, "Completed") {
			completed++
			require.Equal(t, trafficPages, pages)
			continue
		}
		require.Contains(t, status, "started several times", "only owners that process a PDF are killed")
		require.True(t, !sent.own || pages == 0, body)
	}
	t.Logf("%d PDFs answered SUCCESS, %d processed, %d refused or with unknown outcome", answered, completed, unknown)
}
