package s3store

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestAnObjectStoreWhoseDiskIsFull checks that the store reports a full disk, keeps no parts, and
// accepts content again when there is space.
func TestAnObjectStoreWhoseDiskIsFull(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=40m"); err != nil {
		testrun.Missing(t, "the right to mount a disk: "+err.Error())
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	server := enginetest.StartObjectStoreIn(t, dir)
	r := records(t)
	address := server.AddressBeside(t)
	s := at(t, address, r)
	there := storetest.WriteContent(t, s, storetest.Bytes(1, 9*mib))
	require.NoError(t, keep(r, there))
	for _, size := range []int{5 * mib, 60 * mib} {
		ballast := filepath.Join(dir, "ballast")
		require.NoError(t, os.WriteFile(ballast, make([]byte, 28*mib), 0o600))
		d := testrun.Must(s.Create(t.Context()))(t)
		_, err := d.Write(storetest.Bytes(2, size))
		if err == nil {
			_, err = d.Commit()
		}
		require.ErrorIs(t, err, store.ErrNoSpace)
		d.Discard()
		s.background.Wait()
		require.NoError(t, os.Remove(ballast))
		require.Len(t, storetest.ReadContent(t, s, there, 0, 9*mib), 9*mib)
	}
	require.NoError(t, keep(r, storetest.WriteContent(t, s, storetest.Bytes(3, 9*mib))))
	s.ages = ages{}
	require.Equal(t, 2, clean(t, s), "the contents for which there was no space")
	names, uploads := server.Objects(t, address)
	require.Len(t, names, 2)
	require.Zero(t, uploads)
}

// TestLargeDraftsWaitForRoom checks that large drafts wait for room, and small ones do not.
func TestLargeDraftsWaitForRoom(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	place := testrun.Must(ParsePlace("s3://localhost:1/bucket"))(t)
	s := testrun.Must(New(place, nil))(t)
	s.slots = make(chan struct{}, 1)
	create := func(ctx context.Context) store.Draft {
		d := testrun.Must(s.Create(ctx))(t)
		return d
	}
	write := func(d store.Draft, size int) error { _, err := d.Write(make([]byte, size)); return err }
	first := create(t.Context())
	require.NoError(t, write(first, large/2))
	require.NoError(t, write(first, large))
	require.NoError(t, write(first, large), "it takes only one slot")
	require.NoError(t, write(create(t.Context()), large))
	given, giveUp := context.WithCancel(t.Context())
	gone := create(given)
	giveUp()
	require.ErrorIs(t, write(gone, large+1), context.Canceled)
	second := create(t.Context())
	wrote := make(chan error)
	go func() { wrote <- write(second, large+1) }()
	first.Discard()
	first.Discard()
	require.NoError(t, <-wrote)
	require.NoError(t, second.Restart())
	require.NoError(t, write(second, large+1))
	second.Discard()
	gone.Discard()
	require.Empty(t, s.slots)
}
