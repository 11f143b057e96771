package media

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/reconcile"
	"paperfs/remote"
)

// TestRefusedContentCostsALookInTenSeconds checks how often the tree is read for a version that the
// service does not give, although the tree shows no other one.
func TestRefusedContentCostsALookInTenSeconds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.set(0, "a", "content")
	other := f.service.set(0, "b", "content, too")
	a, b := f.lookup(Root, "a").Ino, f.lookup(Root, "b").Ino
	looks := f.service.count("GetTree")
	refuse := func(ino Ino) {
		t.Helper()
		f.service.fail("Download", &remote.Error{Op: "Download", Kind: remote.Superseded})
		_, err := f.read(ino)
		require.Error(t, err)
		require.True(t, Is(err, Superseded), "%v", err)
	}
	refuse(a)
	looks++
	require.Equal(t, looks, f.service.count("GetTree"), "the service may have another version")
	for range 5 {
		refuse(a)
	}
	require.Equal(t, looks, f.service.count("GetTree"), "there was no other version a moment ago")
	f.pass(reconcile.RetryPause)
	refuse(a)
	looks++
	require.Equal(t, looks, f.service.count("GetTree"), "others may have replaced it by now")

	reader, err := f.store.Open(b, false)
	require.NoError(t, err)
	defer reader.Release()
	f.service.mu.Lock()
	f.service.files[other].data = []byte("newer content")
	f.service.mu.Unlock()
	_, err = reader.ReadAt(ctx, make([]byte, 10), 0)
	require.True(t, Is(err, Superseded), "%v", err)
	looks++
	require.Equal(t, looks, f.service.count("GetTree"), "the other file has had no look")
	for range 5 {
		_, err = reader.ReadAt(ctx, make([]byte, 10), 0)
		require.True(t, Is(err, Superseded), "%v", err)
	}
	require.Equal(t, looks, f.service.count("GetTree"), "no look finds anything for a file without a name")
	content, err := f.read(f.lookup(Root, "b").Ino)
	require.NoError(t, err)
	require.Equal(t, "newer content", content)
}
