package answer

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// put caches an answer of the given size, in a file if it has 10 bytes or more.
func put(t *testing.T, c *Cache[string, int], key string, version, size int) (a *Kept[string, int], kept bool) {
	t.Helper()
	s := NewSpool(httptest.NewRecorder(), t.TempDir(), 10)
	defer s.Discard()
	testrun.Must(s.Write([]byte(strings.Repeat("x", size))))(t)
	require.NoError(t, s.Finish())
	a = Keep(s, key, version, false)
	require.EqualValues(t, size, a.Size)
	return a, c.Put(a)
}

// has returns which of the keys are cached with version 1.
func has(c *Cache[string, int], keys ...string) (found []string) {
	for _, key := range keys {
		a, mine, _ := c.Claim(key, 1)
		if a != nil {
			found = append(found, key)
			c.Release(a)
		}
		c.Done(mine, false)
	}
	return found
}

// TestKeptAnswersAreBounded checks that the cache is limited in number and in bytes, keeps the
// most recently used answers, and closes a file when its last reader is done.
func TestKeptAnswersAreBounded(t *testing.T) {
	c := &Cache[string, int]{Most: 3, Room: 100}
	var all []*Kept[string, int]
	for _, key := range []string{"a", "b", "c"} {
		a, kept := put(t, c, key, 1, 30)
		require.True(t, kept)
		c.Release(a)
		all = append(all, a)
	}
	require.Equal(t, []string{"a", "b", "c"}, has(c, "a", "b", "c"))
	require.Equal(t, []string{"a"}, has(c, "a"), "a was used most recently")

	d, kept := put(t, c, "d", 1, 5)
	require.True(t, kept)
	c.Release(d)
	require.Equal(t, []string{"c", "a", "d"}, has(c, "b", "c", "a", "d"), "at most three answers")
	_, err := all[1].file.Stat()
	require.ErrorIs(t, err, os.ErrClosed)

	reading, mine, other := c.Claim("a", 1)
	require.True(t, reading != nil && mine == nil && other == nil)
	require.Equal(t, []string{"d"}, has(c, "d"), "d was used most recently")
	e, kept := put(t, c, "e", 1, 95)
	require.True(t, kept)
	require.Equal(t, []string{"d", "e"}, has(c, "a", "c", "d", "e"), "at most a hundred bytes")
	var body strings.Builder
	testrun.Must(reading.WriteTo(&body))(t)
	require.Equal(t, strings.Repeat("x", 30), body.String(), "the reader gets the complete answer")
	c.Release(reading)
	_, err = reading.file.Stat()
	require.ErrorIs(t, err, os.ErrClosed)

	large, kept := put(t, c, "large", 1, 101)
	require.False(t, kept)
	c.Release(large)
	_, err = large.file.Stat()
	require.ErrorIs(t, err, os.ErrClosed)
	require.Equal(t, []string{"d", "e"}, has(c, "d", "e", "large"), "an answer that is too large displaces nothing")

	newer, kept := put(t, c, "e", 2, 95)
	require.True(t, kept)
	require.Equal(t, []string{"d"}, has(c, "d", "e"), "a newer version replaced it")
	c.Release(e)
	c.Release(newer)
	c.Close()
	_, err = newer.file.Stat()
	require.ErrorIs(t, err, os.ErrClosed)
	require.Empty(t, has(c, "d", "e"))
}

// TestOneMakesAnAnswer checks that other callers wait for the answer, and learn whether it is
// cached.
func TestOneMakesAnAnswer(t *testing.T) {
	c := &Cache[string, int]{Most: 3}
	_, mine, _ := c.Claim("a", 1)
	require.NotNil(t, mine)
	_, another, other := c.Claim("a", 1)
	require.True(t, another == nil && other == mine)
	_, newer, _ := c.Claim("a", 2)
	require.NotNil(t, newer, "another version is generated independently")
	c.Done(newer, true)
	select {
	case <-other.Done():
		require.Fail(t, "another caller is still generating the answer")
	default:
	}
	c.Done(mine, true)
	<-other.Done()
	require.True(t, other.Alone())
	_, mine, _ = c.Claim("a", 1)
	require.NotNil(t, mine)
	c.Done(mine, false)
	require.False(t, mine.Alone())
	c.Done(nil, true)
}
