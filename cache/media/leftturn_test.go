package media

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/waiter"
	"paperfs/remote/testrun"
)

// TestACallerThatLeavesBeforeTheTurn checks that a deletion, which can wait a minute for the
// request budget, deletes nothing if its caller leaves in the meantime.
func TestACallerThatLeavesBeforeTheTurn(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(context.Context, *fixture) error{
		"rm":    func(by context.Context, f *fixture) error { return f.store.Unlink(by, Root, "a") },
		"rmdir": func(by context.Context, f *fixture) error { return f.store.Rmdir(by, Root, "d") },
		"mv to scratch": func(by context.Context, f *fixture) error {
			return f.store.Rename(by, Root, "a", Root, ".a", false, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, deleting)
			f.absent(Root, "a")
			f.mkdir(Root, "d")
			_, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			by, leave := waiter.With(ctx)
			f.service.waits = leave
			require.ErrorIs(t, change(by, f), waiter.ErrLeft)
			require.Zero(t, f.service.count("DeleteFile")+f.service.count("DeleteDirectory"))
			f.published("a", "one")
			require.Equal(t, Directory, f.lookup(Root, "d").Kind)
			require.NoError(t, change(ctx, f))
			require.Equal(t, 1, f.service.count("DeleteFile")+f.service.count("DeleteDirectory"))
		})
	}
}

// TestTheEndWaitsForNoTreeOfATurn checks that the GetTree before an rmdir, whose caller has
// left, ends with the store.
func TestTheEndWaitsForNoTreeOfATurn(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting)
	f.absent(Root, "d")
	f.mkdir(Root, "d")
	open := f.service.hold("GetTree")
	defer open() // otherwise the end of the test would wait for it, too
	by, leave := waiter.With(ctx)
	done := make(chan error)
	go func() { done <- f.store.Rmdir(by, Root, "d") }()
	<-f.service.entered
	leave()
	require.ErrorIs(t, <-done, waiter.ErrLeft)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.reopen()
	}()
	select {
	case <-ended:
	case <-time.After(testrun.Patience()):
		t.Fatal("the end of the store waits for a GetTree whose caller has left")
	}
}
