package apitest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// crowd is a store that blocks searches and walks until the test releases them.
type crowd struct {
	store.Store
	entered chan int64 // the node of each search or walk
	release chan struct{}
	leave   func() // closes release
	// versions counts reads of a tree's version.
	versions atomic.Int64
}

// crowded blocks the searches and walks of a server.
func crowded(t *testing.T, s *server) *crowd {
	c := &crowd{entered: make(chan int64, 100), release: make(chan struct{})}
	c.leave = sync.OnceFunc(func() { close(c.release) })
	t.Cleanup(c.leave)
	s.wrapStore(func(inner store.Store) store.Store { c.Store = inner; return c })
	return c
}

func (c *crowd) Read(ctx context.Context, f func(store.Reader) error) error {
	return c.Store.Read(ctx, func(tx store.Reader) error { return f(stayingReader{tx, c}) })
}

func (c *crowd) stay(node int64) {
	c.entered <- node
	<-c.release
}

type stayingReader struct {
	store.Reader
	crowd *crowd
}

func (r stayingReader) PagesContaining(node int64, phrase string) (map[int64][]int, error) {
	r.crowd.stay(node)
	return r.Reader.PagesContaining(node, phrase)
}

func (r stayingReader) Walk(node int64, visit func(store.Node, int) error) error {
	r.crowd.stay(node)
	return r.Reader.Walk(node, visit)
}

func (r stayingReader) TreeVersion(tenant int64) (int64, error) {
	r.crowd.versions.Add(1)
	return r.Reader.TreeVersion(tenant)
}

func (r stayingReader) FieldValues(node, field int64, visit func(store.FieldValue) error) error {
	r.crowd.stay(node)
	return r.Reader.FieldValues(node, field, visit)
}

// fill starts calls until this many are blocked, and returns a function that waits for all of them.
func (c *crowd) fill(t *testing.T, most int, call func(i int) reply) (wait func()) {
	var all sync.WaitGroup
	for i := range most {
		all.Go(func() {
			if r := call(i); r.code != remote.Success {
				t.Errorf("%d %s %s", r.status, r.code, r.body)
			}
		})
		<-c.entered
	}
	return all.Wait
}

// first returns the answer to a call that must not reach the store.
func (c *crowd) first(t *testing.T, call func() reply) reply {
	t.Helper()
	answered := make(chan reply, 1)
	go func() {
		defer close(answered) // the call may end its goroutine
		answered <- call()
	}()
	select {
	case r := <-answered:
		return r
	case <-c.entered:
		t.Fatal("the call was admitted")
	}
	panic("not reached")
}

// TestSearchesLeaveRoom checks that only a few searches run at once, and that other calls still get
// through. A search that finds no room in time is refused as temporarily unavailable.
func TestSearchesLeaveRoom(t *testing.T) {
	t.Parallel()
	s := imported(t)
	s.inside().SetPatience(time.Millisecond)
	c := crowded(t, s)
	byContent := func() reply {
		return s.call(remote.SearchPapersByContent, "query", "e", "categoryOrPaperID", "1", "xmlOptions", "")
	}
	searches, _, _ := s.inside().Gates()
	wait := c.fill(t, searches, func(int) reply { return byContent() })
	for op, node := range textSearches {
		r := c.first(t, func() reply { return s.call(op, "query", "e", node, "1", "xmlOptions", "") })
		require.Equal(t, remote.SearchTemporarilyUnavailable, r.code)
	}
	s.must(remote.GetTree)
	s.must(remote.GetPaperUrlFromID, "paperID", "1")
	ready := httptest.NewRecorder()
	s.service.Operator().ServeHTTP(ready, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	require.Equal(t, http.StatusOK, ready.Code, ready.Body)
	c.leave()
	wait()
	require.Equal(t, remote.Success, byContent().code, "there is room again")
}

// TestWalksLeaveRoom checks that walks leave room for small requests, as searches do. A walk that
// finds no room gets 503, outside the envelope.
func TestWalksLeaveRoom(t *testing.T) {
	t.Parallel()
	s := imported(t)
	s.inside().SetPatience(time.Millisecond)
	categories := []string{"1"}
	_, walks, _ := s.inside().Gates()
	for i := range walks + 1 {
		categories = append(categories, s.category("1", string(rune('a'+i))))
	}
	known := s.call(remote.GetAllPapers, "paperID", "1")
	tag := known.header.Get("ETag")
	c := crowded(t, s)
	tree := func(category string) reply { return s.call(remote.GetAllPapers, "paperID", category) }
	wait := c.fill(t, walks, func(i int) reply { return tree(categories[1+i]) })
	fields := `<options><customfieldcriterias><field name="Season" value="x"/></customfieldcriterias></options>`
	for _, call := range []func() reply{
		func() reply { return tree(categories[walks+1]) },
		func() reply {
			return s.call(remote.SearchPapersByCustomFields, "categoryID", "1", "xmlOptions", fields)
		},
	} {
		r := c.first(t, call)
		require.Equal(t, http.StatusServiceUnavailable, r.status, r.body)
		require.NotEmpty(t, r.header.Get("Retry-After"))
	}
	s.must(remote.GetPaperUrlFromID, "paperID", "1")
	form := s.credentials(remote.GetAllPapers)
	form.Set("paperID", "1")
	q := testrun.Must(http.NewRequest(http.MethodGet, s.http.URL+remote.GetAllPapers.Path()+"?"+form.Encode(), nil))(t)
	q.Header.Set("If-None-Match", tag)
	require.Equal(t, http.StatusNotModified, c.first(t, func() reply { return s.do(q) }).status, "a caller that has the tree causes no walk")
	c.leave()
	wait()
	require.Equal(t, remote.Success, tree(categories[walks+1]).code)
}

// TestManyWaitForOneTree checks that many calls wait for the same tree, and that one walk serves
// them all once there is room.
func TestManyWaitForOneTree(t *testing.T) {
	t.Parallel()
	s := keeping(t, 100)
	root := s.root()
	var others []string
	_, walks, _ := s.inside().Gates()
	for i := range walks {
		others = append(others, s.category(root, string(rune('a'+i))))
	}
	s.inside().SetPatience(time.Hour)
	c := crowded(t, s)
	tree := func(category string) reply { return s.call(remote.GetAllPapers, "paperID", category) }
	wait := c.fill(t, walks, func(i int) reply { return tree(others[i]) })
	asked := c.versions.Load()
	const many = 60
	answered := make(chan reply, many)
	for range many {
		go func() { answered <- tree(root) }()
	}
	require.Eventually(t, func() bool { return c.versions.Load() >= asked+many }, testrun.Patience(), time.Millisecond)
	c.leave()
	wait()
	for range many {
		r := <-answered
		require.Equal(t, remote.Success, r.code, r.body)
	}
	require.Len(t, c.entered, 1, "one walk serves all calls")
}

// lines fills the gate with calls of one tenant, queues thirty more of them, and then one of
// another tenant.
func lines(t *testing.T, s *server, places int, waiting func() int, call func(s *server, i int) reply) (c *crowd, other int64, wait func()) {
	theirs := s.tenantNamed("other")
	other = testrun.Must(strconv.ParseInt(theirs.root(), 10, 64))(t)
	s.inside().SetPatience(time.Hour)
	c = crowded(t, s)
	filled := c.fill(t, places, func(i int) reply { return call(s, i) })
	var all sync.WaitGroup
	join := func(s *server) {
		now := waiting()
		all.Go(func() {
			if r := call(s, places); r.code != remote.Success {
				t.Errorf("%d %s %s", r.status, r.code, r.body)
			}
		})
		require.Eventually(t, func() bool { return waiting() > now }, testrun.Patience(), time.Millisecond)
	}
	for range 30 {
		join(s)
	}
	join(theirs)
	return c, other, func() { filled(); all.Wait() }
}

// TestTenantsSearchInTurn checks that a search waits for a running search of another tenant, but
// not for all its queued ones.
func TestTenantsSearchInTurn(t *testing.T) {
	t.Parallel()
	s := imported(t)
	places, _, _ := s.inside().Gates()
	c, other, wait := lines(t, s, places, func() int { return s.inside().Searches.Waiting() }, func(s *server, _ int) reply {
		return s.call(remote.SearchPapersByContent, "query", "e", "categoryOrPaperID", s.root(), "xmlOptions", "")
	})
	c.release <- struct{}{}
	require.Equal(t, other, <-c.entered)
	c.leave()
	wait()
}

// TestTenantsWalkInTurn checks that walks take turns between tenants as searches do.
func TestTenantsWalkInTurn(t *testing.T) {
	t.Parallel()
	s := imported(t)
	_, places, _ := s.inside().Gates()
	var categories []string // because calls for the same tree share a walk
	for i := range places {
		categories = append(categories, s.category("1", string(rune('a'+i))))
	}
	c, other, wait := lines(t, s, places, func() int { return s.inside().Walks.Waiting() }, func(s *server, i int) reply {
		if i < places {
			return s.call(remote.GetAllPapers, "paperID", categories[i])
		}
		return s.call(remote.GetAllPapers, "paperID", s.root())
	})
	c.release <- struct{}{}
	require.Equal(t, other, <-c.entered)
	c.leave()
	wait()
}

// TestReadersSearchApart checks that readers' searches do not block calls, and calls do not block
// readers. A reader whose search finds no room gets a page that says so.
func TestReadersSearchApart(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.paperOf("public", "one", "two")
	s.inside().SetPatience(time.Millisecond)
	search := func() reply { return s.get(s.http.URL + "/public/?GoToFirstSearchResult=two&ForceLanguage=de") }
	searches, walks, readers := s.inside().Gates()
	var categories []string // because calls for the same tree share a walk
	for i := range walks {
		categories = append(categories, s.category(s.root(), string(rune('a'+i))))
	}
	calls := func(c *crowd) (wait func()) {
		one := c.fill(t, searches, func(int) reply {
			return s.call(remote.SearchPapersByContent, "query", "e", "categoryOrPaperID", s.root(), "xmlOptions", "")
		})
		two := c.fill(t, walks, func(i int) reply { return s.call(remote.GetAllPapers, "paperID", categories[i]) })
		return func() { one(); two() }
	}
	c := crowded(t, s)
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			if r := search(); r.status != http.StatusOK || !strings.Contains(r.body, "two") {
				t.Errorf("%d %s", r.status, r.body)
			}
		})
		<-c.entered
	}
	r := c.first(t, search)
	require.Equal(t, http.StatusServiceUnavailable, r.status, r.body)
	require.NotEmpty(t, r.header.Get("Retry-After"))
	require.Equal(t, "text/html; charset=utf-8", r.header.Get("Content-Type"))
	require.Contains(t, r.body, "zu viele Leute")
	require.Contains(t, r.body, `href="./?ForceLanguage=de"`)
	require.Equal(t, http.StatusNotFound, s.visit("/hidden/?GoToFirstSearchResult=two").status)
	require.Contains(t, s.visit("/public/").body, "one", "the paper can be read")
	wait := calls(c)
	c.leave()
	all.Wait()
	wait()

	c = crowded(t, s)
	wait = calls(c)
	found := make(chan reply)
	go func() { found <- search() }()
	<-c.entered
	c.leave()
	require.Contains(t, (<-found).body, "two")
	wait()
}

// TestSlowClientsOfAFullDiskHoldNoPlace checks that clients that do not read their answers do not
// block walks, even if the disk has no room to spool the answers.
func TestSlowClientsOfAFullDiskHoldNoPlace(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	db := s.place().Beside(t)
	require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		tenant, err := tx.TenantByName("default")
		// Each & takes nine bytes in the answer.
		long := store.Node{Tenant: tenant.ID, Parent: tenant.Root, Kind: remote.PaperNode, Name: strings.Repeat("&", 255)}
		for i := 0; i < 1000 && err == nil; i++ {
			long.URLName = strconv.Itoa(i)
			_, err = tx.AddNode(long)
		}
		return err
	}))
	require.NoError(t, db.Close())
	s.inside().SetPatience(time.Hour)
	s.fillScratch()
	address, _ := s.watched()
	form := s.credentials(remote.GetAllPapers)
	form.Set("paperID", root)
	_, walks, _ := s.inside().Gates()
	before := s.metric(`paperfs_service_requests_under_way`)
	for range walks {
		conn := testrun.Must(net.Dial("tcp", address))(t)
		defer conn.Close()
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4<<10))
		testrun.Must(fmt.Fprintf(conn, "GET %s?%s HTTP/1.1\r\nHost: localhost\r\n\r\n", remote.GetAllPapers.Path(), form.Encode()))(t)
		testrun.Must(io.ReadFull(conn, make([]byte, 100)))(t)
	}
	require.Equal(t, before+float64(walks), s.metric(`paperfs_service_requests_under_way`), "the answers wait for their clients")
	require.Equal(t, remote.Success, s.call(remote.GetAllPapers, "paperID", root).code)
}
