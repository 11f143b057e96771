package media

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/option"
	"paperfs/cache/media/reconcile"
	"paperfs/remote"
)

// TestARemovedDirectoryWaitsForItsTurn checks that the GetTree before the deletion waits for
// the request budget, too.
func TestARemovedDirectoryWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting)
	f.absent(Root, "d")
	f.mkdir(Root, "d")
	f.service.usedUp.Store(true)
	require.NoError(t, f.store.Rmdir(ctx, Root, "d"))
	require.Equal(t, 1, f.service.count("DeleteDirectory"))
	require.Equal(t, []int{2}, f.service.turns, "the check and the deletion go out one right after the other")
}

// TestACheckWaitsForTheRequestBudget checks that the check after an upload or mkdir with an unknown outcome waits
// for the request budget, as the change does.
func TestACheckWaitsForTheRequestBudget(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.absent(Root, "a")
	f.service.usedUp.Store(true)
	f.service.tell(func(s *fakeService) { s.late = true })
	f.service.fail("UploadFile", &remote.Error{Op: "UploadFile", Kind: remote.Stalled, Ambiguous: true})
	_, err := f.create(Root, "a", "one")
	require.Error(t, err)
	asked := f.service.count("GetTree")
	_, err = f.create(Root, "a", "two")
	require.NoError(t, err)
	require.Equal(t, 1, f.service.count("GetTree")-asked)
}

// TestADeletionThatWaitsForLongLooksAgain has a colleague change the file while the deletion
// waits for its turn. The check costs a GetTree, which a short wait does not need.
func TestADeletionThatWaitsForLongLooksAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting)
	f.absent(Root, "a")
	_, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	require.NoError(t, f.store.Refresh(ctx))
	asked := f.service.count("GetTree")
	f.service.waits = func() {
		f.pass(option.DefaultStrictTTL)
		f.service.set(0, "a", "theirs")
	}
	require.True(t, Is(f.store.Unlink(ctx, Root, "a"), Newer))
	f.published("a", "theirs")
	require.Equal(t, 1, f.service.count("GetTree")-asked)
	require.Equal(t, []int{2}, f.service.turns)

	f.pass(reconcile.Protection) // somebody looks at it
	require.NoError(t, f.store.Refresh(ctx))
	asked = f.service.count("GetTree")
	require.NoError(t, f.store.Unlink(ctx, Root, "a"))
	require.Zero(t, f.service.count("GetTree")-asked)
}
