package catalogue

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

func TestATreeThatWasReplacedCanBeHadForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(smallTree())
		x := open(t, f)
		first, err := x.Snapshot(ctx)
		require.NoError(t, err)
		recent := func(version uint64) *Snapshot {
			return x.Recent(func(s *Snapshot) bool { return s.Version() == version })
		}
		made, err := x.Create(ctx, remote.PaperNode, 2, "New")
		require.NoError(t, err)
		second := x.Peek()
		time.Sleep(recently / 2)
		f.other(func(m *model) { m.remove(6) })
		require.NoError(t, x.Refresh(ctx))

		require.Same(t, first, recent(first.Version()))
		_, ok := first.WithoutAddress(made.ID)
		require.False(t, ok)
		require.Same(t, second, recent(second.Version()))
		require.Same(t, x.Peek(), recent(x.Peek().Version()))

		time.Sleep(recently / 2)
		synctest.Wait()
		require.Nil(t, recent(first.Version()))
		require.Same(t, second, recent(second.Version()))
		time.Sleep(recently)
		synctest.Wait()
		require.Nil(t, recent(second.Version()))
		require.NotNil(t, recent(x.Peek().Version()))
		x.Close()
	})
}

func TestFewTreesAreKeptWhileManyChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(smallTree())
		x := open(t, f)
		for i := range 1000 {
			_, err := x.Create(ctx, remote.PaperNode, 2, fmt.Sprintf("New %d", i))
			require.NoError(t, err)
		}
		before := x.Peek()
		_, err := x.Create(ctx, remote.PaperNode, 2, "Last")
		require.NoError(t, err)
		require.Len(t, x.replaced, recentTrees)
		require.Same(t, before, x.Recent(func(s *Snapshot) bool { return s.Version() == before.Version() }))
		time.Sleep(recently)
		synctest.Wait()
		require.Empty(t, x.replaced)
		x.Close()
	})
}
