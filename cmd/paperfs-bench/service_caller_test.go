package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestCallersTakeNodesInTurn checks that every node of a service is measured, as the tenant's host, and that an answer
// that is no tree is an error: a fast failure is no fast answer.
func TestCallersTakeNodesInTurn(t *testing.T) {
	var asked [2]int
	var urls []string
	for i := range asked {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Host == "acme.example" {
				asked[i]++
			}
			_, _ = w.Write([]byte("<code>ERROR</code>"))
		}))
		t.Cleanup(s.Close)
		urls = append(urls, s.URL)
	}
	t.Cleanup(connections.CloseIdleConnections)
	n := &nodes{urls: urls, host: "acme.example"}
	for range 6 {
		r := testrun.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, urls[0], nil))(t)
		require.NoError(t, testrun.Must(n.RoundTrip(r))(t).Body.Close())
	}
	require.Equal(t, [2]int{3, 3}, asked)
	c := &caller{nodes: n}
	require.ErrorContains(t, attempt(func() { c.tree(t.Context()) }), "<code>ERROR</code>")
}

// TestMedians checks even and odd numbers.
func TestMedians(t *testing.T) {
	require.Equal(t, 2*time.Second, median([]time.Duration{3 * time.Second, time.Second, 2 * time.Second}))
	require.Equal(t, 2*time.Second, median([]time.Duration{3 * time.Second, time.Second}))
}
