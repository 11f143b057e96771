package media

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestARemovedDirectoryWaitsForItsTurn: the GetTree before the deletion waits for the request
// budget, too.
func TestARemovedDirectoryWaitsForItsTurn(t *testing.T) {
	f := newFixture(t, deleting)
	f.absent(Root, "d")
	f.mkdir(Root, "d")
	f.service.usedUp.Store(true)
	require.NoError(t, f.store.Rmdir(ctx, Root, "d"))
	require.Equal(t, 1, f.service.count("DeleteDirectory"))
}

// TestAChecksTurn: the check after an upload or mkdir with an unknown outcome waits for the
// request budget, as the change does.
func TestAChecksTurn(t *testing.T) {
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
