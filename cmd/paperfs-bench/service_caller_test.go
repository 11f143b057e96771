package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestAFastFailureIsNoFastAnswer checks that each answer but SUCCESS is an error.
func TestAFastFailureIsNoFastAnswer(t *testing.T) {
	var mu sync.Mutex
	status, body := http.StatusOK, "<code>SUCCESS</code><paper id=\"7\" />"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.FormValue("plUsername") != "me" || r.FormValue("url") != "/x/" || r.Host != "acme.example" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	t.Cleanup(client.CloseIdleConnections)
	c := &caller{Nodes: []string{s.URL}, Host: "acme.example", Name: "me", Key: "key"}
	id, err := c.make(t.Context(), remote.GetPaperIDFromUrl, "/x/")
	require.NoError(t, err)
	require.Equal(t, "7", id)
	for _, wrong := range []struct {
		status int
		body   string
	}{{200, "<code>ERROR</code>"}, {503, "SUCCESS"}, {200, "SUCCESS without one"}} {
		mu.Lock()
		status, body = wrong.status, wrong.body
		mu.Unlock()
		_, err := c.make(t.Context(), remote.GetPaperIDFromUrl, "/x/")
		require.Error(t, err, wrong.body)
	}
}

// TestCallersTakeNodesInTurn checks that every node of a service is measured.
func TestCallersTakeNodesInTurn(t *testing.T) {
	var asked [2]int
	c := &caller{}
	for i := range asked {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked[i]++
			_, _ = w.Write([]byte("SUCCESS"))
		}))
		t.Cleanup(s.Close)
		c.Nodes = append(c.Nodes, s.URL)
	}
	t.Cleanup(client.CloseIdleConnections)
	for range 6 {
		_, err := c.ask(t.Context(), remote.GetTree)
		require.NoError(t, err)
	}
	require.Equal(t, [2]int{3, 3}, asked)
}

// TestMedians checks even and odd numbers, and that only the work itself is timed.
func TestMedians(t *testing.T) {
	require.Equal(t, 2*time.Second, median([]time.Duration{3 * time.Second, time.Second, 2 * time.Second}))
	require.Equal(t, 2*time.Second, median([]time.Duration{3 * time.Second, time.Second}))
	befores, works := 0, 0
	_, err := medianOf(func() error { befores++; return nil }, func() error { works++; return nil })
	require.NoError(t, err)
	require.Equal(t, []int{repeated, repeated}, []int{befores, works})
	failed := errors.New("failed")
	_, err = medianOf(nil, func() error { return failed })
	require.ErrorIs(t, err, failed)
	_, err = medianOf(func() error { return failed }, func() error { return nil })
	require.ErrorIs(t, err, failed)
}
