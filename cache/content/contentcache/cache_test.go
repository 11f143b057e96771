package contentcache

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/disk"
)

func newCache(t *testing.T, dir string, limit int64, pinned map[int64][]string) *Cache {
	c, err := New(disk.Disk{Dir: dir, Reserve: -1}, limit, pinned)
	require.NoError(t, err)
	return c
}

func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// receive stores content and closes its file.
func receive(t *testing.T, c *Cache, content string) string {
	require.NoError(t, c.Receive(strings.NewReader(content), sumOf(content), int64(len(content))))
	return sumOf(content)
}

// TestOnlyWholeContentIsCached checks that content other than the one expected is not
// kept, and that content that changed on the disk is not returned.
func TestOnlyWholeContentIsCached(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := newCache(t, dir, -1, nil)
	require.Error(t, c.Receive(strings.NewReader("theirs"), sumOf("ours"), 6))
	require.False(t, c.Has(sumOf("ours")))
	require.False(t, c.Has(sumOf("theirs")))
	require.Zero(t, c.Size())

	sum := receive(t, c, "content")
	next := newCache(t, dir, -1, nil)
	require.EqualValues(t, 7, next.Size(), "what an earlier run left counts")
	f, err := next.Open(sum)
	require.NoError(t, err)
	got, err := io.ReadAll(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, "content", string(got))

	require.NoError(t, os.WriteFile(c.path(sum), []byte("changed"), 0o600))
	last := newCache(t, dir, -1, nil)
	_, err = last.Open(sum)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.False(t, last.Has(sum))
	for _, other := range []string{"", "ab", "../../../etc/passwd", strings.Repeat("g", 64)} {
		_, err = last.Open(other)
		require.ErrorIs(t, err, os.ErrNotExist, "%q", other)
		require.False(t, last.Has(other))
	}
}

// TestTheOldestMakesRoom checks the limit, and that neither what is in use nor the PDF of a paper, which the
// service does not return, is evicted.
func TestTheOldestMakesRoom(t *testing.T) {
	t.Parallel()
	c := newCache(t, t.TempDir(), 25, nil)
	first, second := receive(t, c, "first....."), receive(t, c, "second....")
	f, err := c.Open(first) // now the second is the oldest
	require.NoError(t, err)
	require.NoError(t, f.Close())
	third := receive(t, c, "third.....")
	require.True(t, c.Has(first))
	require.False(t, c.Has(second))
	require.True(t, c.Has(third))

	c.Keep(7, []string{first})
	unpin := c.Pin(third)
	c.Evict(100)
	require.True(t, c.Has(first))
	require.True(t, c.Has(third))
	unpin()
	c.Evict(100)
	require.False(t, c.Has(third))
	c.Keep(7, nil)
	c.Evict(100)
	require.False(t, c.Has(first))
	require.Zero(t, c.Size())
}
