package serving

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/remote/testrun"
)

// TestAnAccountThatIsBeingLeft checks that a mount waits for the process that has unmounted the
// account and is about to end, instead of calling it mounted.
func TestAnAccountThatIsBeingLeft(t *testing.T) {
	t.Parallel()
	dirs := state.AccountDirs(t.TempDir(), t.TempDir(), "http://127.0.0.1:1", "me")
	before := testrun.Must(state.Open(dirs, t.TempDir()))(t)
	closed := make(chan error, 1)
	time.AfterFunc(4*leavingLook, func() { closed <- before.Close() })
	after := testrun.Must(TakeState(t.Context(), dirs, t.TempDir()))(t)
	require.NoError(t, <-closed)
	require.NoError(t, after.Close())
}

// TestTheWaitForAnAccountEndsWithItsContext checks that the end of the context ends the wait for a
// process that may leave the account.
func TestTheWaitForAnAccountEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dirs := state.AccountDirs(t.TempDir(), t.TempDir(), "http://127.0.0.1:1", "me")
	before := testrun.Must(state.Open(dirs, "/none"))(t)
	defer func() { require.NoError(t, before.Close()) }()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(4*leavingLook, cancel)
	_, err := TakeState(ctx, dirs, t.TempDir())
	require.ErrorIs(t, err, context.Canceled)
}

// TestOnlyWhatIsMountedHasAnAccount checks that only what is mounted is called mounted: not what is unmounted,
// although another file system is in its place, nor what is not mounted yet.
func TestOnlyWhatIsMountedHasAnAccount(t *testing.T) {
	t.Parallel()
	words := func(h state.Holder) string {
		h.PID = os.Getpid()
		err := heldWords(&state.HeldError{Holder: h})
		var held *state.HeldError
		require.ErrorAs(t, err, &held)
		return err.Error()
	}
	require.Regexp(t, `^/proc is being unmounted: process \d+ finishes what is under way, .* run: kill \d+$`, words(state.Holder{Mountpoint: "/proc", Connection: "99999999 1"}))
	require.Regexp(t, `^/none is being mounted or unmounted by process \d+, .* run: kill \d+$`, words(state.Holder{Mountpoint: "/none"}))
	require.Regexp(t, `mounted already at /proc \(process \d+\)\. .* run: paperfs umount /proc$`, words(state.Holder{Mountpoint: "/proc"}))
}
