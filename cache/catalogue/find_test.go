package catalogue

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

func TestFindCostsWhatTheDesignSays(t *testing.T) {
	f := newFake(smallTree())
	f.m.nodes[7] = remote.Node{ID: 7, Parent: 1, Kind: remote.CategoryNode, Name: "Outside", URL: "/outside/"}
	f.m.next = 8
	x := connected(t, f, func(o *Options) { o.RootURL = "/a/" })
	found := func(id int64) func() {
		return func() { n, err := x.FindID(ctx, id); require.NoError(t, err); require.Equal(t, id, n.ID) }
	}
	noID := func(id int64) func() {
		return func() { _, err := x.FindID(ctx, id); require.ErrorIs(t, err, ErrNotFound) }
	}
	at := func(url string, id int64) func() {
		return func() { n, err := x.FindURL(ctx, url); require.NoError(t, err); require.Equal(t, id, n.ID) }
	}
	nothingAt := func(url string) func() {
		return func() { _, err := x.FindURL(ctx, url); require.ErrorIs(t, err, ErrNotFound) }
	}
	require.Equal(t, 0, x.costs(found(4)))
	for _, url := range []string{"/a/deep/p/", "a/deep/p", "/A/DEEP/P/"} {
		require.Equal(t, 0, x.costs(at(url, 4)))
	}
	for what, look := range map[string]func(){"id": noID(999), "url": nothingAt("/a/none"), "id outside": noID(7)} {
		require.Equal(t, 1, x.costs(look), what)
		require.Equal(t, 0, x.costs(look), what+" again")
	}
	for what, look := range map[string]func(){"0": noID(0), "-1": noID(-1), "outside": nothingAt("/outside/"), "//": nothingAt("/a//x")} {
		require.Equal(t, 0, x.costs(look), what)
	}
	require.Equal(t, 0, x.costs(nothingAt("/A/NONE/")), "the same address in another case")

	f.other(func(m *model) {
		m.nodes[20] = remote.Node{ID: 20, Parent: 2, Kind: remote.PaperNode, Name: "n", URL: "/a/n/"}
		m.nodes[21] = remote.Node{ID: 21, Parent: 2, Kind: remote.PaperNode, Name: "n", URL: "/a/n2/"}
	})
	require.Equal(t, 2, x.costs(at("/a/N", 20)))
	require.Equal(t, 0, x.costs(found(21)), "the tree fetched before contains it")
	f.other(func(m *model) {
		m.nodes[22] = remote.Node{ID: 22, Parent: 2, Kind: remote.PaperNode, Name: "n", URL: "/a/n3/"}
	})
	require.Equal(t, 2, x.costs(found(22)))
	require.Equal(t, 1, x.costs(nothingAt("/a/none")), "remembered only until the next tree")
	x.Forget()
	require.Equal(t, 2, x.costs(func() { nothingAt("/a/none")(); x.settle(t) }), "but not after a refresh")
}

func TestFailedFindIsNotRemembered(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	f.fail(remote.GetPaperUrlFromID, errAway)
	_, err := x.FindID(ctx, 99)
	require.ErrorIs(t, err, errAway)
	_, err = x.FindID(ctx, 99)
	require.ErrorIs(t, err, ErrNotFound)
}

func TestFindersAtTheSameTimeShareOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(smallTree())
		x := connected(t, f)
		release := f.freeze(remote.GetPaperUrlFromID)
		var finders sync.WaitGroup
		for range 10 {
			finders.Go(func() {
				_, err := x.FindID(ctx, 99)
				require.ErrorIs(t, err, ErrNotFound)
			})
		}
		synctest.Wait()
		_, err := x.FindID(cancelled(), 99)
		var failure *remote.Error
		require.ErrorAs(t, err, &failure)
		require.Equal(t, remote.Cancelled, failure.Kind)
		release()
		finders.Wait()
		require.Equal(t, 1, f.count(remote.GetPaperUrlFromID))
	})
}
