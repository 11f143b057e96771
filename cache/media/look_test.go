package media

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLooksAtTheSameTimeAreOneRequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.NoError(t, f.store.Refresh(ctx))
	f.pass(time.Minute)
	known := f.service.count("GetTree")
	open := f.service.hold("GetTree")
	var callers sync.WaitGroup
	for range 50 {
		callers.Go(func() { require.NoError(t, f.store.CheckNewName(ctx, Root, "new", "")) })
	}
	<-f.service.entered
	open()
	callers.Wait()
	require.Equal(t, known+1, f.service.count("GetTree"))

	require.NoError(t, f.store.CheckNewName(ctx, Root, "newer", ""))
	require.Equal(t, known+1, f.service.count("GetTree"), "the tree is recent enough")
	f.pass(time.Minute)
	require.NoError(t, f.store.CheckNewName(ctx, Root, ".scratch", ""))
	require.Equal(t, known+1, f.service.count("GetTree"), "scratch names need no check")
	require.NoError(t, f.store.CheckNewName(ctx, Root, "newest", ""))
	require.Equal(t, known+2, f.service.count("GetTree"))
}

// TestChangesDuringASuspendAreFound checks that the mount finds changes that colleagues
// made during a suspend, although the clock of Now stood still, and that a listing reads the
// tree again as well.
func TestChangesDuringASuspendAreFound(t *testing.T) {
	t.Parallel()
	var slept atomic.Int64
	f := newFixture(t, func(o *Options) { o.Slept = func() time.Duration { return time.Duration(slept.Load()) } })
	require.NoError(t, f.store.Refresh(ctx))
	f.service.set(0, "offer", "a colleague's")
	known := f.service.count("GetTree")
	require.NoError(t, f.store.CheckNewName(ctx, Root, "offer", ""))
	require.Equal(t, known, f.service.count("GetTree"), "the tree is recent enough")

	slept.Add(int64(8 * time.Hour))
	require.NoError(t, f.store.CheckNewName(ctx, Root, "offer", ""))
	require.Equal(t, known+1, f.service.count("GetTree"))
	require.NotZero(t, f.lookup(Root, "offer").ID)

	slept.Add(int64(8 * time.Hour))
	f.lookup(Root, "offer")
	f.eventually(func() bool { return f.service.count("GetTree") == known+2 })
	f.lookup(Root, "offer")
	require.Equal(t, known+2, f.service.count("GetTree"))
}

// TestAClockThatIsSetBack checks that a tree counts as old if an earlier run read it while the
// clock was ahead.
func TestAClockThatIsSetBack(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.absent(Root, "none")
	f.close()
	f.pass(-24 * time.Hour)
	f.open()
	asked := f.service.count("GetTree")
	f.absent(Root, "none")
	f.eventually(func() bool { return f.service.count("GetTree") == asked+1 })
}

// TestARenameOverAPublishedFileIsNoColleagues renames an unwritten file over a published one
// and replaces it; the old content does not count as a colleague's.
func TestARenameOverAPublishedFileIsNoColleagues(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *Options) { o.AllowDelete = true })
	_, err := f.create(Root, "b", "content")
	require.NoError(t, err)
	_, h, err := f.store.Create(Root, "a", New{Mode: 0o644})
	require.NoError(t, err)
	require.NoError(t, f.rename(Root, "a", Root, "b"))
	require.NoError(t, f.rename(Root, "b", Root, ".x"))
	f.absent(Root, "b")
	h.Release()
	require.NoError(t, f.store.Refresh(ctx))
	require.Equal(t, []string{".x"}, shownNames(t, f, Root))
}
