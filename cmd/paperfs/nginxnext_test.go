package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestNginxAsksTheNextNode runs the topic's nginx.conf in front of a node that is not ready
// and one that is: a GET gets its answer from the other one, and no POST is sent twice.
func TestNginxAsksTheNextNode(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "nginx", "/usr/sbin/nginx")
	var posts atomic.Int64
	node := func(status int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				posts.Add(1)
			}
			w.WriteHeader(status)
		}))
		t.Cleanup(s.Close)
		return strings.TrimPrefix(s.URL, "http://")
	}
	c := &cluster{environment: newEnvironment(t)}
	url := c.balancer(indented(t, "topic/cluster.md", "## Two nodes behind nginx")[1], node(http.StatusServiceUnavailable), node(http.StatusOK))["PAPERFS_URL"]
	const tries = 10
	for range tries {
		r, err := http.Get(url)
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		require.Equal(t, http.StatusOK, r.StatusCode)
		r, err = http.Post(url, "application/x-www-form-urlencoded", strings.NewReader("a=b"))
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
	}
	require.EqualValues(t, tries, posts.Load())
}
