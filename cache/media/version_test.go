package media

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
)

func TestAddressIsTheWhole(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{"/", "7", "/7/", "http://h/media/", "a.jpg", "b%20c", "?v=7/"})
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]int64{7, 77, 0}).Draw(t, "id")
		url := ""
		for _, p := range rapid.SliceOf(part).Draw(t, "parts") {
			url += p
		}
		v := tree.Version{ID: id, URL: tree.AddressOf(url, id, "a.jpg")}
		require.Equal(t, url, v.Address())
		require.Equal(t, url != "", v.URL.Known())
		require.Equal(t, v.URL, tree.AddressOf(url, id, "b.jpg"))
	})
}

func TestDigest(t *testing.T) {
	t.Parallel()
	text := fmt.Sprintf("%064x", 0xabc)
	require.Equal(t, text, inode.DigestOf(text).String())
	for _, none := range []string{"", text[2:], text + "00", "x" + text[1:]} {
		require.False(t, inode.DigestOf(none).Known(), none)
		require.Empty(t, inode.DigestOf(none).String())
	}
}
