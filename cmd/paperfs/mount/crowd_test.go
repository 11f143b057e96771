package mount

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/catalogue"
	"paperfs/remote"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// traffic carries the calls of a crowd to the service, wherever it runs now, and counts them.
type traffic struct {
	inner   *http.Transport
	service atomic.Pointer[url.URL]
	held    atomic.Int64 // requests of Wait under way
	waits   atomic.Int64
	trees   atomic.Int64 // answers with a tree
	made    atomic.Int64 // of these, those that the service did not have ready
}

func (c *traffic) to(t *testing.T, f *servicetest.Fixture) {
	address := testrun.Must(url.Parse(f.URL))(t)
	c.service.Store(address)
}

func (c *traffic) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = c.service.Load().Host
	if strings.HasSuffix(r.URL.Path, remote.Wait.Path()) {
		c.waits.Add(1)
		c.held.Add(1)
		defer c.held.Add(-1)
	}
	answer, err := c.inner.RoundTrip(r)
	if err == nil && strings.HasSuffix(r.URL.Path, remote.GetAllPapers.Path()) && answer.StatusCode == http.StatusOK {
		c.trees.Add(1)
		if answer.ContentLength < 0 {
			c.made.Add(1)
		}
	}
	return answer, err
}

// crowd are the catalogues of many mounts, which follow one service.
type crowd struct {
	*testing.T
	*traffic
	many  int
	added chan int64 // nodes that a catalogue did not have before
}

func (c *crowd) join(f *servicetest.Fixture) {
	client, err := remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password, Transport: c.traffic})
	require.NoError(c, err)
	c.Cleanup(client.Close)
	tree, err := catalogue.New(catalogue.Options{Service: client, Changed: func(_, _ *catalogue.Snapshot, d catalogue.Diff) {
		for _, id := range d.Added {
			c.added <- id
		}
	}})
	require.NoError(c, err)
	c.Cleanup(tree.Close)
	require.NoError(c, tree.Connect(c.Context()))
	require.NoError(c, tree.Refresh(c.Context()))
	follower := &follower{service: client, saved: marks{}, catchUp: func(context.Context, bool) error { return nil }, rpm: func() int { return 0 },
		away: func() (again time.Time) { return again }, back: func() {}, slept: func() time.Duration { return 0 }, log: slog.New(slog.DiscardHandler)}
	follower.begin = func() func(context.Context, remote.News) error {
		before := tree.Peek()
		return func(ctx context.Context, n remote.News) error {
			if !slices.Contains(n.Trees, "papers") && (len(n.Events) == 0 || tree.Hear(before, n.Events, follower.knows(before.Fetched()))) {
				return nil
			}
			return tree.Refresh(ctx)
		}
	}
	c.Cleanup(follower.start())
}

// see waits until all have a node, and reports what that cost.
func (c *crowd) see(what string, trees int64, change func() int64) {
	c.Helper()
	require.Eventually(c, func() bool { return c.held.Load() == int64(c.many) }, testrun.Patience(), time.Millisecond)
	c.trees.Store(0)
	c.made.Store(0)
	began := time.Now()
	id := change()
	var took []time.Duration
	for end := time.After(testrun.Patience()); len(took) < c.many; {
		select {
		case added := <-c.added:
			if added == id {
				took = append(took, time.Since(began))
			}
		case <-end:
			require.Fail(c, what, "%d of %d have seen it", len(took), c.many)
		}
	}
	c.Logf("%s: half of them see it within %s, all within %s; %d trees fetched, %d of them made", what, took[c.many/2], took[c.many-1], c.trees.Load(), c.made.Load())
	require.Equal(c, trees, c.trees.Load(), what)
	require.Equal(c, min(trees, 1), c.made.Load(), "%s: one walk at the service", what)
}

// TestACrowdFollows has 500 mounts follow a tree of 2,000 nodes. What is told costs no tree, also after the service was
// started again; many changes at once cost each a tree, and the service one walk.
func TestACrowdFollows(t *testing.T) {
	testrun.Long(t, "500 mounts fetch trees, and wait for a minute")
	const many = 500
	f := servicetest.Start(t)
	f.Generate(generate.Spec{Papers: 1900, Categories: 100, Depth: 3, Seed: 1})
	c := &crowd{T: t, many: many, added: make(chan int64, 1000*many),
		traffic: &traffic{inner: &http.Transport{MaxIdleConnsPerHost: many, DisableCompression: true}}}
	t.Cleanup(c.inner.CloseIdleConnections)
	c.to(t, f)
	colleague := testrun.Must(remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password}))(t)
	t.Cleanup(colleague.Close)
	root, _ := testrun.Must2(colleague.GetPaperIDFromUrl(t.Context(), "/"))(t)
	var last int64
	paper := func(name string) func() int64 {
		return func() int64 {
			var err error
			last, err = colleague.CreatePaper(t.Context(), remote.Node{ID: root, URL: "/"}, name, name)
			require.NoError(t, err)
			return last
		}
	}
	before := inUse()
	for range many {
		c.join(f)
	}
	c.see("a change", 0, paper("first"))
	t.Logf("%d KiB for each mount, with its tree and the service's part", (inUse()-before)/many>>10)
	c.see("many changes", many, func() int64 {
		f.Generate(generate.Spec{Papers: 300, Categories: 1, Depth: 1, Seed: 2})
		return last + 1
	})

	waits, began := c.waits.Load(), time.Now()
	require.Eventually(t, func() bool { return c.waits.Load() >= waits+many }, 10*testrun.Patience(), time.Second)
	t.Logf("nothing changes: %.1f requests a second", float64(c.waits.Load()-waits)/time.Since(began).Seconds())

	f.Stop()
	f = servicetest.StartIn(t, f.Data)
	c.to(t, f)
	colleague = testrun.Must(remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password}))(t)
	t.Cleanup(colleague.Close)
	c.see("a change after a start", 0, paper("second"))
}

// inUse returns the memory of the process for Go, stacks included.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
