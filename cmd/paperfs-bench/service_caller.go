package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"

	"paperfs/remote"
)

// caller calls the nodes of a service as an account of one tenant.
type caller struct {
	*remote.Client
	nodes     *nodes
	name, key string
	root      remote.Node // the tenant's
}

// connect returns a caller. host is the tenant's, or "" for the nodes' own.
func connect(ctx context.Context, urls []string, host, name, key string) *caller {
	c := &caller{nodes: &nodes{urls: urls, host: host}, name: name, key: key}
	c.Client = got(remote.New(remote.Options{BaseURL: urls[0], Username: name, Password: key, Transport: c.nodes}))
	c.root = remote.Node{Kind: remote.CategoryNode, URL: "/"}
	var err error
	c.root.ID, _, err = c.GetPaperIDFromUrl(ctx, "/")
	must(err)
	return c
}

// nodes carries calls to the nodes in turn.
type nodes struct {
	urls []string
	host string
	turn atomic.Uint64
}

// connections keeps one for each of many writers.
var connections = &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}

func (n *nodes) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = strings.TrimPrefix(n.urls[n.turn.Add(1)%uint64(len(n.urls))], "http://")
	r.Host = n.host
	return connections.RoundTrip(r)
}

// tree requests the whole tree from each node, all at once. The answers are not parsed: that would cost more than some
// answers do.
func (c *caller) tree(ctx context.Context) {
	form := url.Values{"paperID": {strconv.FormatInt(c.root.ID, 10)}}
	form.Set(remote.GetAllPapers.Pair.Username, c.name)
	form.Set(remote.GetAllPapers.Pair.Password, c.key)
	must(together(len(c.nodes.urls), func(i int) {
		r := got(http.NewRequestWithContext(ctx, http.MethodPost, c.nodes.urls[i]+remote.GetAllPapers.Path(), strings.NewReader(form.Encode())))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		reply := got(connections.RoundTrip(r))
		defer reply.Body.Close()
		body := got(io.ReadAll(reply.Body))
		if head := body[:min(len(body), 500)]; reply.StatusCode != http.StatusOK || !bytes.Contains(head, []byte("SUCCESS")) {
			must(fmt.Errorf("the tree was answered %s: %s", reply.Status, head))
		}
	}))
}
