package catalogue

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// refreshed refreshes and reports whether the service sent a tree.
func (x *fixture) refreshed(t *testing.T) bool {
	t.Helper()
	sent := x.sent(t)
	x.requireTrue(t)
	return sent
}

// sent is refreshed for a tree that differs from the service's.
func (x *fixture) sent(t *testing.T) bool {
	t.Helper()
	before := x.f.unchanged
	require.NoError(t, x.Refresh(ctx))
	return x.f.unchanged == before
}

func TestAnUnchangedTreeOnlyGetsYounger(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	old := x.Peek()
	x.clock.advance(time.Hour)
	require.False(t, x.refreshed(t))
	require.Same(t, old.base, x.Peek().base)
	require.Equal(t, old.version, x.Peek().version)
	require.True(t, x.Peek().Fetched().Equal(x.clock.Now()))
	require.NoError(t, x.Status().LastError)
	f.other(func(m *model) { m.remove(6) })
	require.True(t, x.refreshed(t))
	require.False(t, x.refreshed(t))
}

// TestAChangeThatWasUndoneIsSeen has a colleague undo a local change, which restores the tree
// that the validator identifies.
func TestAChangeThatWasUndoneIsSeen(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	require.False(t, x.refreshed(t))
	n, err := x.Create(ctx, remote.CategoryNode, x.RootID(), "own")
	require.NoError(t, err)
	f.other(func(m *model) { m.remove(n.ID) })
	require.True(t, x.refreshed(t))
	require.False(t, x.refreshed(t))
}

// TestAnAnswerDuringAChangeIsAskedForAgain makes a change during a fetch, so that it is
// unknown whether the answer includes the change. A colleague has already changed the same
// node, which the answer has and the local tree lacks.
func TestAnAnswerDuringAChangeIsAskedForAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(smallTree())
		x := connected(t, f)
		n, err := x.Create(ctx, remote.CategoryNode, x.RootID(), "own")
		require.NoError(t, err)
		changed := f.freeze(remote.ChangePaperUrl)
		sent := make(chan error)
		go func() { sent <- x.ChangeURL(ctx, n.ID, "ours") }()
		synctest.Wait()
		f.other(func(m *model) { m.changeURL(n.ID, "theirs") })
		told := f.freeze(remote.GetAllPapers)
		fetched := make(chan error)
		go func() { fetched <- x.Refresh(ctx) }()
		synctest.Wait()
		changed()
		require.NoError(t, <-sent)
		told()
		require.NoError(t, <-fetched)
		require.True(t, x.refreshed(t))
		require.False(t, x.refreshed(t))
	})
}

func TestTheSavedTreeHasItsValidator(t *testing.T) {
	f, path := newFake(smallTree()), filepath.Join(t.TempDir(), "catalogue")
	with := func(o *Options) { o.Saved = path }
	connected(t, f, with).Close()
	x := open(t, f, with)
	require.False(t, x.refreshed(t))
	_, err := x.Create(ctx, remote.CategoryNode, x.RootID(), "own")
	require.NoError(t, err)
	x.Close()
	x = open(t, f, with)
	require.True(t, x.refreshed(t), "a saved tree without a validator is fetched again")
	x.Close()
	x = open(t, f, with)
	require.False(t, x.refreshed(t), "the tree keeps its validator")
	x.Close()

	odd := f.m.nodes[6]
	odd.Odd = "it is odd"
	f.m.nodes[6] = odd
	for range 2 { // each mount reports oddities once
		told := 0
		x = open(t, f, with, func(o *Options) { o.Report = func(error) { told++ } })
		require.True(t, x.sent(t))
		require.False(t, x.sent(t))
		require.Equal(t, 1, told)
		x.Close()
	}
}
