package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
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
