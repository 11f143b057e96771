package catalogue

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

var ctx = context.Background()

func TestFirstListingCostsTwoRequestsAndTheNextNone(t *testing.T) {
	f := newFake(smallTree())
	x := open(t, f)
	require.Nil(t, x.Peek())
	require.Equal(t, 1, x.costs(func() { require.NoError(t, x.Connect(ctx)) }))
	require.Equal(t, 1, x.costs(func() {
		for range 10 {
			s, err := x.Snapshot(ctx)
			require.NoError(t, err)
			require.Equal(t, 6, s.Len())
		}
	}))
	require.Equal(t, 1, f.count(remote.GetPaperIDFromUrl))
	require.Equal(t, 1, f.count(remote.GetAllPapers))
	x.requireTrue(t)
	status := x.Status()
	require.Equal(t, "Root", status.Root.Name)
	require.Equal(t, 6, status.Nodes)
	require.True(t, status.Fetched.Equal(epoch))
	require.NoError(t, status.LastError)
}

func TestReadersAtTheSameTimeShareOneFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(smallTree())
		x := open(t, f)
		release := f.freeze(remote.GetAllPapers)
		hurried, interrupt := context.WithCancel(ctx)
		ended := make(chan error)
		go func() {
			_, err := x.Snapshot(hurried)
			ended <- err
		}()
		synctest.Wait()
		var readers sync.WaitGroup
		for range 20 {
			readers.Go(func() {
				s, err := x.Snapshot(ctx)
				require.NoError(t, err)
				require.Equal(t, 6, s.Len())
			})
		}
		synctest.Wait()
		interrupt() // the reader that started the fetch
		var failure *remote.Error
		require.ErrorAs(t, <-ended, &failure)
		require.Equal(t, remote.Cancelled, failure.Kind)
		release()
		readers.Wait()
		require.Equal(t, 1, f.count(remote.GetAllPapers))
	})
}

func TestFailureIsSharedToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(smallTree())
		x := open(t, f)
		f.fail(remote.GetAllPapers, errAway)
		release := f.freeze(remote.GetAllPapers)
		var readers sync.WaitGroup
		for range 10 {
			readers.Go(func() {
				_, err := x.Snapshot(ctx)
				require.ErrorIs(t, err, errAway)
			})
		}
		synctest.Wait()
		release()
		readers.Wait()
		require.Equal(t, 1, f.count(remote.GetAllPapers))
		s, err := x.Snapshot(ctx)
		require.NoError(t, err, "without a tree the next reader tries again")
		require.Equal(t, 6, s.Len())
	})
}

func TestRefreshIsOneThatBeganAfterTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(smallTree())
		x := connected(t, f)
		release := f.freeze(remote.GetAllPapers)
		first := make(chan error)
		go func() { first <- x.Refresh(ctx) }()
		synctest.Wait() // the first answer is ready and held back
		f.other(func(m *model) { m.changeURL(2, "new") })
		var later sync.WaitGroup
		for range 5 {
			later.Go(func() {
				require.NoError(t, x.Refresh(ctx))
				x.requireTrue(t)
			})
		}
		synctest.Wait()
		release()
		require.NoError(t, <-first)
		later.Wait()
		require.Equal(t, 1+1+1, f.count(remote.GetAllPapers), "five callers share one fetch")
	})
}

// TestATreeGrowsOldWhileTheMachineSleeps uses a clock that does not advance during a suspend.
func TestATreeGrowsOldWhileTheMachineSleeps(t *testing.T) {
	slept := 8 * time.Hour
	f := newFake(smallTree())
	x := connected(t, f, func(o *Options) { o.TTL, o.Slept = time.Minute, func() time.Duration { return slept } })
	f.other(func(m *model) { m.remove(6) })
	require.Equal(t, 0, x.costs(func() { _, _ = x.Snapshot(ctx); x.settle(t) }))
	slept += time.Minute + time.Second
	require.Equal(t, 1, x.costs(func() { _, _ = x.Snapshot(ctx); x.settle(t) }))
	require.Equal(t, 0, x.costs(func() { _, _ = x.Snapshot(ctx); x.settle(t) }))
	x.requireTrue(t)
}

func TestOldTreeIsServedAndRefreshedBehind(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f, func(o *Options) { o.TTL = time.Minute })
	f.other(func(m *model) { m.remove(6) })
	x.clock.advance(time.Minute)
	require.Equal(t, 0, x.costs(func() { _, _ = x.Snapshot(ctx); x.settle(t) }), "not older than the TTL")
	x.clock.advance(time.Second)
	release := f.freeze(remote.GetAllPapers)
	for range 5 {
		s, err := x.Snapshot(ctx)
		require.NoError(t, err)
		require.Equal(t, 6, s.Len(), "the old tree, without waiting")
	}
	<-f.held
	release()
	x.settle(t)
	x.requireTrue(t)
	require.Equal(t, 2, f.count(remote.GetAllPapers))
	require.True(t, x.Status().Fetched.Equal(x.clock.Now()))
}

// TestAClockThatIsSetBack sets the clock back between two mounts. Until the clock reaches the
// old time again, the saved tree does not count as fresh, and each mount fetches the tree.
func TestAClockThatIsSetBack(t *testing.T) {
	f, path := newFake(smallTree()), filepath.Join(t.TempDir(), "catalogue")
	with := func(o *Options) { o.Saved = path }
	x := connected(t, f, func(o *Options) { with(o); o.Now = func() time.Time { return epoch.Add(24 * time.Hour) } })
	x.Close()
	f.other(func(m *model) { m.remove(6) })
	x = open(t, f, with)
	require.Equal(t, 1, x.costs(func() { _, _ = x.Snapshot(ctx); x.settle(t) }))
	x.requireTrue(t)
	require.Equal(t, 0, x.costs(func() { _, _ = x.Snapshot(ctx); x.settle(t) }))
}

func TestForgetRefreshesAtTheNextLook(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	require.Equal(t, 0, x.costs(func() { x.Forget(); x.settle(t) }))
	require.Equal(t, 1, x.costs(func() { _, _ = x.Snapshot(ctx); x.settle(t); _, _ = x.Snapshot(ctx); x.settle(t) }))
}

func TestFailedRefreshKeepsTheTreeAndIsNotRepeatedAtOnce(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	look := func() int {
		return x.costs(func() {
			for range 5 {
				s, err := x.Snapshot(ctx)
				require.NoError(t, err)
				require.Equal(t, 6, s.Len())
				x.settle(t)
			}
		})
	}
	f.fail(remote.GetAllPapers, errAway, errAway, errAway)
	x.clock.advance(time.Hour)
	for _, pause := range []time.Duration{firstBackoff, 2 * firstBackoff} {
		require.Equal(t, 1, look())
		require.ErrorIs(t, x.Status().LastError, errAway)
		x.clock.advance(pause - 1)
		require.Equal(t, 0, look())
		x.clock.advance(1)
	}
	require.Equal(t, 1, look())
	require.Equal(t, 1, x.costs(func() { require.NoError(t, x.Refresh(ctx)) }), "an explicit refresh still fetches")
	require.NoError(t, x.Status().LastError)
	require.Equal(t, 0, look())
	require.Len(t, x.warns.all(), 3)
}

func TestBackoffIsBounded(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	x.clock.advance(time.Hour)
	for range 80 {
		f.fail(remote.GetAllPapers, errAway)
		x.clock.advance(maxBackoff)
		require.Equal(t, 1, x.costs(func() { _, _ = x.Snapshot(ctx); x.settle(t) }))
	}
}

func TestBrokenAnswerKeepsTheTree(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	f.other(func(m *model) {
		n := m.nodes[6]
		n.Kind = 0
		m.nodes[6] = n
	})
	require.Error(t, x.Refresh(ctx))
	require.Equal(t, 6, x.Peek().Len())
}

// TestFetchesAndOwnChangesInAnyOrder makes any local changes while a fetch is held back at any
// point; afterwards the local tree equals the service's.
func TestFetchesAndOwnChangesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newFake(smallTree())
		x := connected(t, f)
		defer x.Close()
		var release func()
		var refreshed chan error
		land := func() {
			if release != nil {
				release()
				require.NoError(rt, <-refreshed)
				release = nil
			}
		}
		for range rapid.IntRange(1, 15).Draw(rt, "steps") {
			nodes := map[string]int64{}
			for _, label := range []string{"id", "destination"} {
				f.mu.Lock()
				nodes[label] = f.m.pick(rt, label)
				f.mu.Unlock()
			}
			id := nodes["id"]
			switch rapid.IntRange(0, 6).Draw(rt, "step") {
			case 0:
				land()
				release, refreshed = f.freeze(remote.GetAllPapers), make(chan error)
				go func() { refreshed <- x.Refresh(ctx) }()
				<-f.held
			case 1:
				land()
			case 2:
				_, _ = x.Create(ctx, remote.CategoryNode, id, rapid.SampledFrom([]string{"X", "Y", "é"}).Draw(rt, "name"))
			case 3:
				_ = x.Move(ctx, id, nodes["destination"], "")
			case 4:
				_ = x.ChangeURL(ctx, id, rapid.SampledFrom([]string{"u", "U", "v"}).Draw(rt, "segment"))
			case 5:
				_ = x.SetPeriod(ctx, id, genPeriod().Draw(rt, "period"))
			case 6:
				if mustKind(x, id) == remote.PaperNode { // checking a category would wait for the frozen answer
					_ = x.Delete(ctx, id)
				}
			}
			x.requireTrue(rt)
		}
		land()
		x.requireTrue(rt)
	})
}

func mustKind(x *fixture, id int64) remote.NodeKind {
	n, _ := x.Peek().Node(id)
	return n.Kind
}

func TestChangedIsCalledInOrder(t *testing.T) {
	f := newFake(smallTree())
	var mu sync.Mutex
	var got []Diff
	var last *Snapshot
	var x *fixture
	x = connected(t, f, func(o *Options) {
		o.Changed = func(old, new *Snapshot, d Diff) {
			_, _ = x.Snapshot(ctx) // no lock is held
			_ = x.Status()
			mu.Lock()
			defer mu.Unlock()
			if last != nil {
				require.Equal(t, last.Version(), old.Version(), "a replaced tree is skipped")
			}
			require.Greater(t, new.Version(), old.Version())
			require.Equal(t, diff(old, new), normal(d))
			last = new
			got = append(got, d)
		}
	})
	n, err := x.Create(ctx, remote.PaperNode, 2, "New")
	require.NoError(t, err)
	require.NoError(t, x.Move(ctx, n.ID, 5, ""))
	require.NoError(t, x.Refresh(ctx)) // returns no change
	f.other(func(m *model) { m.remove(6) })
	require.NoError(t, x.Refresh(ctx))
	require.NoError(t, x.Delete(ctx, n.ID))
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(got) == 4
	}, testrun.Patience(), time.Millisecond)
	require.Equal(t, Diff{Dirs: []int64{2}, Added: []int64{n.ID}}, got[0])
	require.Equal(t, []int64{2, 5}, got[1].Dirs)
	require.EqualValues(t, 6, got[2].Gone[0].ID)
	require.EqualValues(t, n.ID, got[3].Gone[0].ID)
}

func TestSavedTreeServesTheNextMount(t *testing.T) {
	f, state := newFake(smallTree()), &memory{values: map[string]string{}}
	path := filepath.Join(t.TempDir(), "catalogue")
	with := func(o *Options) { o.Saved, o.State = path, state }
	x := connected(t, f, with)
	n, err := x.Create(ctx, remote.CategoryNode, 5, "New")
	require.NoError(t, err)
	x.Close()

	f.fail(remote.GetAllPapers, errAway)
	x = open(t, f, with)
	require.NotNil(t, x.Peek(), "before any request")
	require.NoError(t, x.Connect(ctx))
	s, err := x.Snapshot(ctx)
	require.NoError(t, err)
	_, ok := s.Node(n.ID)
	require.True(t, ok)
	x.settle(t)
	require.ErrorIs(t, x.Status().LastError, errAway)
	require.True(t, s.Fetched().Equal(epoch))
	x.Close()

	x = open(t, f, with)
	require.Equal(t, 1, x.costs(func() { require.NoError(t, x.Connect(ctx)); x.settle(t) }),
		"the check in the background is the refresh")
	x.requireTrue(t)
	require.Empty(t, x.warns.all())
	x.Close()

	require.NoError(t, os.WriteFile(path, []byte("something else"), 0o600))
	x = open(t, f, with)
	require.Nil(t, x.Peek())
	require.Len(t, x.warns.all(), 1)
	require.NoError(t, x.Connect(ctx))
	_, err = x.Snapshot(ctx)
	require.NoError(t, err)
	x.requireTrue(t)
	x.Close()

	x = open(t, f, with, func(o *Options) { o.RootURL = "/a" })
	require.Nil(t, x.Peek(), "a tree with another root")
}

func TestTreeIsSavedWhileMounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalogue")
	connected(t, newFake(smallTree()), func(o *Options) { o.Saved = path })
	require.Eventually(t, func() bool {
		s, err := load(path, origin{rootURL: "/"})
		return err == nil && s.Len() == 6
	}, testrun.Patience(), time.Millisecond)
}

// TestRefreshThatFindsNothingNewWritesNoTree checks that the age of the tree is that of the
// last fetch, whether or not that tree was written.
func TestRefreshThatFindsNothingNewWritesNoTree(t *testing.T) {
	f, path := newFake(smallTree()), filepath.Join(t.TempDir(), "catalogue")
	with := func(o *Options) { o.Saved = path }
	written := func() os.FileInfo {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info
	}
	connected(t, f, with).Close()
	first := written()

	refresh := func(after time.Duration) {
		x := open(t, f, with)
		defer x.Close()
		x.clock.advance(after)
		require.NoError(t, x.Refresh(ctx))
	}
	refresh(time.Minute)
	require.True(t, os.SameFile(first, written()))
	x := open(t, f, with)
	require.True(t, x.Peek().Fetched().Equal(epoch.Add(time.Minute)))
	x.Close()

	f.other(func(m *model) { m.remove(6) })
	refresh(time.Hour)
	require.False(t, os.SameFile(first, written()), "a change")
	x = open(t, f, with)
	x.requireTrue(t)
	require.True(t, x.Peek().Fetched().Equal(epoch.Add(time.Hour)))

	require.NoError(t, os.Remove(path))
	x.clock.advance(2 * time.Hour)
	require.NoError(t, x.Refresh(ctx))
	x.Close()
	written()
}

func TestCloseEndsAFetch(t *testing.T) {
	f := newFake(smallTree())
	x := open(t, f)
	f.freeze(remote.GetAllPapers)
	ended := make(chan error)
	go func() {
		_, err := x.Snapshot(ctx)
		ended <- err
	}()
	<-f.held
	x.Close()
	require.Error(t, <-ended)
	_, err := x.Snapshot(ctx)
	require.ErrorIs(t, err, errClosed)
	require.ErrorIs(t, x.Refresh(ctx), errClosed)
}
