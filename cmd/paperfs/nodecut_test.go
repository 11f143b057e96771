package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// wire stands between a node and PostgreSQL.
type wire struct {
	t      *testing.T
	server string // PostgreSQL's socket
	listen net.Listener

	mu     sync.Mutex // guards the fields below
	passes *sync.Cond
	held   bool // blocks all traffic
	cut    bool // ends and refuses connections
	open   []net.Conn
}

// newWire returns a wire to a database, and the address of the database through it.
func newWire(t *testing.T, database string) (w *wire, through string) {
	u := testrun.Must(url.Parse(database))(t)
	w = &wire{t: t, server: u.Query().Get("host") + "/.s.PGSQL.5432"}
	w.passes = sync.NewCond(&w.mu)
	w.listen = testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { w.listen.Close(); w.set(false, true) })
	go w.accept()
	return w, "postgres://paperfs@" + w.listen.Addr().String() + u.Path + "?sslmode=disable"
}

func (w *wire) accept() {
	for {
		client, err := w.listen.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", w.server)
		w.mu.Lock()
		if err != nil || w.cut {
			client.Close()
			if err == nil {
				server.Close()
			}
		} else {
			w.open = append(w.open, client, server)
			go w.pass(client, server)
			go w.pass(server, client)
		}
		w.mu.Unlock()
	}
}

func (w *wire) pass(to, from net.Conn) {
	defer to.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		w.mu.Lock()
		for w.held {
			w.passes.Wait()
		}
		w.mu.Unlock()
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

// set blocks all traffic, or ends all connections and refuses new ones. Traffic held back when its
// connection ends is lost.
func (w *wire) set(held, cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cut {
		for _, c := range w.open {
			c.Close()
		}
		w.open = nil
	}
	w.held, w.cut = held, cut
	w.passes.Broadcast()
}

// newApart returns a cluster whose node one reaches PostgreSQL through a wire, and has made the category before.
func newApart(t *testing.T) (c *cluster, w *wire, one, two map[string]string) {
	c = newCluster(t)
	_, two = c.node("two")
	w, through := newWire(t, c.database)
	apart := *c
	apart.database = through
	_, one = apart.node("one")
	_, body := c.category(one, "before")
	require.Contains(t, body, "SUCCESS")
	return c, w, one, two
}

func (c *cluster) category(env map[string]string, name string) (int, string) {
	return c.ask(env, "Paper", "CreateCategory", "parentID", "1", "name", name, "urlName", name)
}

// ready returns the status of the readiness page of node one.
func (c *cluster) ready() int {
	status, _ := c.get("one", "/readyz")
	return status
}

// TestANodeThatIsCutOffFromPostgreSQL checks that such a node changes nothing and reports that it
// is not ready, that the other continues, and that the first continues once it is connected again.
func TestANodeThatIsCutOffFromPostgreSQL(t *testing.T) {
	c, w, one, two := newApart(t)

	w.set(true, false)
	answers := make(chan int, 3)
	for i := range cap(answers) {
		go func() {
			form := url.Values{"plUsername": {"APIKey"}, "plPassword": {c.key}, "parentID": {"1"}, "name": {"lost"}, "urlName": {fmt.Sprint("lost", i)}}
			reply, err := http.PostForm(one["PAPERFS_URL"]+"/V2/Paper.asmx/CreateCategory", form)
			if err != nil {
				answers <- 0
				return
			}
			_, _ = io.Copy(io.Discard, reply.Body)
			reply.Body.Close()
			answers <- reply.StatusCode
		}()
	}
	require.Equal(t, http.StatusServiceUnavailable, c.ready(), "the readiness page does not wait forever")
	_, body := c.category(two, "beside")
	require.Contains(t, body, "SUCCESS")
	w.set(false, true)
	for range cap(answers) {
		require.Equal(t, http.StatusServiceUnavailable, <-answers)
	}
	require.Equal(t, http.StatusServiceUnavailable, c.ready())
	status, _ := c.category(one, "lost")
	require.Equal(t, http.StatusServiceUnavailable, status)
	status, _ = c.ask(one, "Media", "GetTree")
	require.Equal(t, http.StatusServiceUnavailable, status, "the node does not return an old tree")

	w.set(false, false)
	require.Eventually(t, func() bool { return c.ready() == http.StatusOK }, testrun.Patience(), pause)
	_, body = c.category(one, "after")
	require.Contains(t, body, "SUCCESS")
	_, tree := c.ask(two, "Paper", "GetAllPapers", "paperID", "1")
	for _, name := range []string{"before", "beside", "after"} {
		require.Contains(t, tree, `url="/`+name+`/"`)
	}
	require.NotContains(t, tree, "lost")
}

// TestANodeWhoseConnectionsStandStill checks that a node still answers, within its limits, while a
// proxy between it and PostgreSQL accepts its data, returns none, and ends no connection.
func TestANodeWhoseConnectionsStandStill(t *testing.T) {
	c, w, one, two := newApart(t)

	w.set(true, false)
	var asked sync.WaitGroup
	for i := range 3 {
		asked.Go(func() {
			form := url.Values{"plUsername": {"APIKey"}, "plPassword": {c.key}, "parentID": {"1"}, "name": {"held"}, "urlName": {fmt.Sprint("held", i)}}
			for range 2 {
				reply, err := (&http.Client{Timeout: testrun.Patience()}).PostForm(one["PAPERFS_URL"]+"/V2/Paper.asmx/CreateCategory", form)
				if err != nil {
					t.Error(err)
					return
				}
				reply.Body.Close()
				if reply.StatusCode != http.StatusServiceUnavailable {
					t.Errorf("status %d", reply.StatusCode)
				}
			}
		})
	}
	require.Equal(t, http.StatusServiceUnavailable, c.ready())
	_, body := c.category(two, "beside")
	require.Contains(t, body, "SUCCESS")
	asked.Wait()
	require.Equal(t, http.StatusServiceUnavailable, c.ready())

	w.set(false, false)
	require.Eventually(t, func() bool { return c.ready() == http.StatusOK }, testrun.Patience(), pause)
	require.Eventually(t, func() bool {
		_, body = c.category(one, "after")
		return strings.Contains(body, "SUCCESS")
	}, testrun.Patience(), pause)
	_, tree := c.ask(two, "Paper", "GetAllPapers", "paperID", "1")
	for _, name := range []string{"before", "beside", "after"} {
		require.Contains(t, tree, `url="/`+name+`/"`)
	}
	require.NotContains(t, tree, "held")
}

// TestAnotherNodeTakesAPDFOver checks that another node takes over the PDF of a killed node and
// processes all its pages.
func TestAnotherNodeTakesAPDFOver(t *testing.T) {
	c := newCluster(t)
	c.withoutRaceDetector()
	_, front := c.node("front", "--jobs", "0")
	_, body := c.ask(front, "Paper", "CreatePaper", "parentID", "1", "name", "long", "urlName", "long")
	paper := regexp.MustCompile(` id="(\d+)"`).FindStringSubmatch(body)[1]
	var pages []string
	for n := range 200 {
		pages = append(pages, fmt.Sprint("page ", n+1))
	}
	long := base64.StdEncoding.EncodeToString(pdftest.Text(pages...))
	one, _ := c.node("one")
	for {
		_, body = c.ask(front, "Ripper", "ProcessPDF", "paperID", paper, "xmlOptions", "", "base64Pdf", long)
		require.Contains(t, body, "SUCCESS")
		working := func() (count int) {
			c.query(`SELECT count(*) FROM job_work WHERE owner LIKE 'one %'`, &count)
			return count
		}
		waiting := func() (count int) { c.query(`SELECT count(*) FROM job_work`, &count); return count }
		require.Eventually(t, func() bool { return working() == 1 || waiting() == 0 }, testrun.Patience(), time.Millisecond)
		require.NoError(t, one.cmd.Process.Kill())
		<-one.ended
		if waiting() == 1 {
			break
		}
		one, _ = c.node("one") // the PDF was finished before the kill
	}
	job := regexp.MustCompile(`<jobGuid><!\[CDATA\[(.*?)\]\]>`).FindStringSubmatch(body)[1]
	killed := time.Now()
	two, _ := c.node("two")
	require.Eventually(t, func() bool {
		_, body = c.ask(front, "Ripper", "GetProcessingStatus", "jobGuid", job)
		return !strings.Contains(body, "Pending")
	}, testrun.Patience(), pause)
	require.Contains(t, body, "Completed")
	two.says(`job=` + job)
	t.Logf("processed %v after the kill", time.Since(killed).Round(time.Second))
	_, body = c.ask(front, "Paper", "GetPaperStructure", "paperID", paper, "includeIndexedText", "false")
	require.Equal(t, len(pages), strings.Count(body, "<page "))
}
