package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// pair is two nodes behind nginx; each keeps its address across restarts.
type pair struct {
	*cluster
	names     [2]string
	addresses [2]string
	processes [2]*process
	public    map[string]string // how clients reach them
}

func newPair(t *testing.T) *pair {
	c := newCluster(t)
	c.withoutRaceDetector()
	p := &pair{cluster: c, names: [2]string{"one", "two"}}
	for i := range p.names {
		p.addresses[i] = "127.0.0.1:" + freePort()
		p.begin(i)
	}
	p.public = c.balancer(indented(t, "topic/cluster.md", "## Two nodes behind nginx")[1], p.addresses[0], p.addresses[1])
	return p
}

func (p *pair) begin(i int) {
	p.processes[i], _ = p.node(p.names[i], "--listen", p.addresses[i], "--trusted-proxies", "127.0.0.1")
}

// restart restarts a node, and returns once nginx uses it again.
func (p *pair) restart(i int) {
	p.begin(i)
	require.Eventually(p.t, func() bool {
		p.ask(p.public, "Media", "GetTree")
		return strings.Contains(p.processes[i].stderr.String(), "request="+p.names[i]+"-")
	}, testrun.Patience(), pause)
}

// upload begins an upload through nginx, and returns the node that receives it. Sending the rest
// completes it.
func (p *pair) upload(name, content string) (conn net.Conn, rest string, at int) {
	address := testrun.Must(url.Parse(p.public["PAPERFS_URL"]))(p.t)
	conn = testrun.Must(net.Dial("tcp", "127.0.0.1:"+address.Port()))(p.t)
	p.t.Cleanup(func() { conn.Close() })
	require.NoError(p.t, conn.SetDeadline(time.Now().Add(testrun.Patience())))
	first := url.Values{"username": {"APIKey"}, "password": {p.key}}.Encode() + "&base64File=" + content
	rest = content + "&parentID=0&name=" + name
	_, err := io.WriteString(conn, "POST /V2/Media.asmx/UploadFile HTTP/1.1\r\nHost: "+address.Host+"\r\nConnection: close\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "+strconv.Itoa(len(first)+len(rest))+"\r\n\r\n"+first)
	require.NoError(p.t, err)
	require.Eventually(p.t, func() bool {
		for i, node := range p.names {
			if _, metrics := p.get(node, "/metrics"); strings.Contains(metrics, "\npaperfs_service_requests_under_way 1\n") {
				at = i
				return true
			}
		}
		return false
	}, testrun.Patience(), pause)
	require.Eventually(p.t, func() bool { // the node has checked the credentials and is storing the content
		var intended int
		p.query(`SELECT count(*) FROM content WHERE state <> 'kept'`, &intended)
		return intended == 1
	}, testrun.Patience(), pause)
	return conn, rest, at
}

// TestANodeThatEndsFinishesAnUploadThroughNginx checks that a node that is told to end finishes an
// upload, and that requests in the meantime go to the other node. Each node ends in turn, as in an
// upgrade.
func TestANodeThatEndsFinishesAnUploadThroughNginx(t *testing.T) {
	p := newPair(t)
	half := strings.Repeat("AAAA", 3<<20)
	ended := map[int]bool{}
	for try := 0; len(ended) < 2; try++ {
		name := fmt.Sprint("upload", try)
		conn, rest, at := p.upload(name, half)
		p.processes[at].signal(syscall.SIGTERM)
		require.Eventually(t, func() bool { return !listens(p.addresses[at]) }, testrun.Patience(), pause)
		for i := range 6 {
			_, body := p.ask(p.public, "Media", "CreateDirectory", "parentID", "0", "name", fmt.Sprint("meanwhile", try, "-", i))
			require.Contains(t, body, "SUCCESS")
		}
		testrun.Must(io.WriteString(conn, rest))(t)
		require.Contains(t, string(testrun.Must(io.ReadAll(conn))(t)), "SUCCESS")
		require.Equal(t, cli.ExitOK, p.processes[at].wait())
		_, tree := p.ask(p.public, "Media", "GetTree")
		require.Len(t, p.download(tree, name), 2*len(half)/4*3)
		require.Equal(t, 6, strings.Count(tree, fmt.Sprint(`name="meanwhile`, try, "-")))
		p.restart(at)
		ended[at] = true
	}
	require.Contains(t, p.admin("check", "--deep"), "missing: 0, wrong: 0")
}

// TestPlannedStopsLoseNoRequest replaces the nodes in turn while callers change things through nginx: each change is
// answered, and made once.
func TestPlannedStopsLoseNoRequest(t *testing.T) {
	p := newPair(t)
	form := url.Values{"username": {"APIKey"}, "password": {p.key}, "parentID": {"0"}}.Encode()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var made atomic.Int64
	var callers errgroup.Group
	for range 8 {
		callers.Go(func() error {
			for ctx.Err() == nil {
				reply, err := client.Post(p.public["PAPERFS_URL"]+"/V2/Media.asmx/CreateDirectory", "application/x-www-form-urlencoded",
					strings.NewReader(form+fmt.Sprint("&name=d", made.Add(1))))
				if err != nil {
					return err
				}
				text, err := io.ReadAll(reply.Body)
				reply.Body.Close()
				if err != nil || !strings.Contains(string(text), "SUCCESS") {
					return fmt.Errorf("%s: %v: %s", reply.Status, err, text)
				}
			}
			return nil
		})
	}
	for stops := range 6 {
		require.Eventually(t, func() bool { return made.Load() > int64(200*(stops+1)) || t.Failed() }, testrun.Patience(), pause)
		p.processes[stops%2].signal(syscall.SIGTERM)
		require.Equal(t, cli.ExitOK, p.processes[stops%2].wait())
		p.restart(stops % 2)
	}
	stop()
	require.NoError(t, callers.Wait())
	_, tree := p.ask(p.public, "Media", "GetTree")
	require.EqualValues(t, made.Load(), strings.Count(tree, `name="d`))
}
