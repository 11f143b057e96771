package main

import (
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// indented returns the indented blocks of a topic below a heading.
func indented(t *testing.T, file, heading string) (blocks []string) {
	_, below, found := strings.Cut(string(testrun.Must(os.ReadFile(file))(t)), "\n"+heading+"\n")
	require.True(t, found)
	below, _, _ = strings.Cut(below, "\n## ")
	for _, block := range regexp.MustCompile(`(?m)(^    .*\n)+`).FindAllString(below, -1) {
		blocks = append(blocks, regexp.MustCompile(`(?m)^    `).ReplaceAllString(block, ""))
	}
	return blocks
}

// freePort returns a port that is free now, below those that Linux gives to a test that asks for any (32768 and up, if nobody changed that).
func freePort() string {
	for {
		port := strconv.Itoa(10_000 + rand.IntN(22_000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			l.Close()
			return port
		}
	}
}

// balancer starts nginx with the printed configuration in front of two nodes, and returns how a
// client reaches them.
func (c *cluster) balancer(printed, one, two string) map[string]string {
	c.t.Helper()
	port := freePort()
	places := strings.NewReplacer("127.0.0.1:8081", one, "127.0.0.1:8082", two, "listen 8080", "listen 127.0.0.1:"+port,
		// An ordinary user may not write to nginx's cache directory.
		"http {\n", "http {\n  access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;\n")
	require.NoError(c.t, os.WriteFile(c.path("nginx.conf"), []byte(places.Replace(printed)), 0o600))
	proxy := c.launch(programtest.Command(c.t, 0, testrun.Program(c.t, "nginx", "/usr/sbin/nginx"), "-p", c.home, "-e", "stderr", "-c", c.path("nginx.conf"),
		"-g", "daemon off; master_process off; pid "+c.path("nginx.pid")+"; error_log stderr;"))
	c.t.Cleanup(func() {
		if c.t.Failed() {
			c.t.Logf("nginx said: %s", proxy.stderr)
		}
	})
	require.Eventually(c.t, func() bool { return listens("127.0.0.1:" + port) }, testrun.Patience(), 10*time.Millisecond, "%s", proxy.stderr)
	return map[string]string{"PAPERFS_URL": "http://localhost:" + port, "PAPERFS_USERNAME": "APIKey", "PAPERFS_PASSWORD": c.key}
}

// listens reports whether a program accepts connections at an address.
func listens(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

// pid returns the process that uses a scratch directory, or 0.
func (c *cluster) pid(scratch string) int {
	text, _ := os.ReadFile(c.path(scratch, "lock"))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}

// TestTwoNodesBehindNginxAsPrinted runs the topic's commands with other addresses, and checks that
// the other node has everything that a killed node answered.
func TestTwoNodesBehindNginxAsPrinted(t *testing.T) {
	c := withoutRecords(t)
	testrun.Program(t, "nginx", "/usr/sbin/nginx")
	blocks := indented(t, "topic/cluster.md", "## Two nodes behind nginx")
	require.Len(t, blocks, 2)
	require.LessOrEqual(t, strings.Count(blocks[0]+blocks[1], "\n"), 25)
	one, two := "127.0.0.1:"+freePort(), "127.0.0.1:"+freePort()
	places := strings.NewReplacer("postgres://papers@db.example/papers", c.database, "s3://s3.example/bucket/papers", c.objects,
		"/var/tmp/", c.home+"/", "127.0.0.1:8081", one, "127.0.0.1:8082", two)
	c.set("PATH", filepath.Dir(c.program)+":"+os.Getenv("PATH"))
	nodes := c.launch(programtest.Command(t, 0, "/bin/sh", "-ec", places.Replace(blocks[0])+"wait\n"))
	t.Cleanup(func() { // runs before the wait for the shell, whose output the nodes hold open
		for _, name := range []string{"one", "two"} {
			if pid := c.pid(name); pid > 0 {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	require.Eventually(t, func() bool { return strings.Count(nodes.stderr.String(), "paperfs: serving ") == 2 }, testrun.Patience(), 10*time.Millisecond, "%s", nodes.stderr)
	c.key = strings.TrimSpace(nodes.stdout.String())
	public := c.balancer(blocks[1], one, two)

	for _, name := range []string{"a", "b", "c", "d"} { // to each node in turn
		_, body := c.ask(public, "Media", "UploadFile", "parentID", "0", "name", name, "base64File", strings.Repeat("AAAA", 100_000))
		require.Contains(t, body, "SUCCESS")
	}
	for _, name := range []string{"one", "two"} {
		nodes.says("request=" + name + "-1 ")
	}
	_, before := c.ask(public, "Media", "GetTree")
	require.Contains(t, before, `url="`+public["PAPERFS_URL"]+`/media/`)
	require.NoError(t, syscall.Kill(c.pid("one"), syscall.SIGKILL))
	require.NoError(t, os.Remove(c.path("one", "lock"))) // another process may get the same pid
	require.Eventually(t, func() bool { return !listens(one) }, testrun.Patience(), 10*time.Millisecond, "connections to the killed node may still break")
	for range 4 {
		_, after := c.ask(public, "Media", "GetTree")
		require.Equal(t, before, after)
	}
	require.Len(t, c.download(before, "c"), 300_000)
	_, body := c.ask(public, "Media", "CreateDirectory", "parentID", "0", "name", "new")
	require.Contains(t, body, "SUCCESS")
}
