package tree

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/cache/content/inode"
)

// TestAnAddressIsShownAsTheServiceGaveIt checks that storing an address in parts loses nothing.
func TestAnAddressIsShownAsTheServiceGaveIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		url := rapid.OneOf(rapid.String(), rapid.StringMatching(`http://h/[a-z/]{0,4}/[1-3]/[a-z/1-3]{0,6}`)).Draw(t, "url")
		id, name := rapid.Int64Range(1, 3).Draw(t, "id"), rapid.StringMatching(`[a-z]{1,3}`).Draw(t, "name")
		require.Equal(t, url, Version{ID: id, URL: AddressOf(url, id, name)}.Address())
	})
}

// TestDifferentContentIsKnownByWhatBothTell checks the digest first, then the size, then the
// service's rounded size, whichever way it rounds.
func TestDifferentContentIsKnownByWhatBothTell(t *testing.T) {
	t.Parallel()
	one, two := inode.Digest{1}, inode.Digest{2}
	for _, c := range []struct {
		known, now Version
		differs    bool
	}{
		{Version{Size: 5, SHA256: one}, Version{Size: 5, SHA256: two}, true},
		{Version{Size: 5, SHA256: one}, Version{Size: 6, SHA256: one}, false},
		{Version{Size: 5, SHA256: one}, Version{Size: 6}, true},
		{Version{Size: 5}, Version{Size: 5, SHA256: two}, false},
		{Version{Size: -1, KB: 4}, Version{Size: -1, KB: 5}, true},
		{Version{Size: -1, KB: 4}, Version{Size: -1, KB: -1}, false},
	} {
		require.Equal(t, c.differs, c.known.Differs(c.now), "%+v and %+v", c.known, c.now)
	}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(0, 1<<40).Draw(t, "size")
		for _, kb := range []int64{size / 1024, (size + 1023) / 1024, size / 1000, (size + 999) / 1000} {
			require.False(t, Version{Size: size, KB: -1}.Differs(Version{Size: -1, KB: kb}), "%d bytes as %d KB", size, kb)
			require.GreaterOrEqual(t, Version{Size: -1, KB: (size + 1023) / 1024}.Most(), size)
		}
	})
}

// TestAnUploadIsCutBeforeItsEndOnly checks that a complete request is waited for.
func TestAnUploadIsCutBeforeItsEndOnly(t *testing.T) {
	t.Parallel()
	var early, late Canceller
	require.NoError(t, early.Begin())
	require.True(t, early.Cancel())
	require.Error(t, early.Finish(), "what was cancelled does not become complete")
	require.NoError(t, late.Begin())
	require.NoError(t, late.Finish())
	require.False(t, late.Cancel(), "the service may have it")
	require.NoError(t, late.Begin())
	require.Error(t, late.Finish(), "the next request")
}
