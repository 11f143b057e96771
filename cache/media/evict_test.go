package media

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// held returns the names whose content of 10 bytes is cached.
func (f *fixture) held(names string) string {
	held := ""
	for _, name := range names {
		if f.store.Contents.Has(sum([]byte(strings.Repeat(string(name), 10)))) {
			held += string(name)
		}
	}
	return held
}

func (f *fixture) tens(names string) {
	for _, name := range names {
		_, err := f.create(Root, string(name), strings.Repeat(string(name), 10))
		require.NoError(f.t, err)
	}
}

func TestTheContentCacheKeepsWhatWasUsedLast(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *Options) { o.CacheSize = 35 })
	f.tens("abc")
	require.Equal(t, "abc", f.held("abc"))
	_, err := f.read(f.lookup(Root, "a").Ino)
	require.NoError(t, err)
	f.tens("d")
	require.Equal(t, "acd", f.held("abcd"))

	h, err := f.store.Open(f.lookup(Root, "c").Ino, false)
	require.NoError(t, err)
	require.NoError(t, load(f.store, h))
	f.tens("efg")
	require.Equal(t, "cfg", f.held("abcdefg"), "open content stays")
	h.Release()

	f.options.CacheSize = 15
	f.reopen()
	require.Len(t, f.held("abcdefg"), 1, "a start applies the limit")
	for _, name := range "abcdefg" {
		content, err := f.read(f.lookup(Root, string(name)).Ino)
		require.NoError(t, err, "the content is fetched again")
		require.Equal(t, strings.Repeat(string(name), 10), content)
	}
	f.options.CacheSize = -1
	f.reopen()
	f.tens("hijklm")
	require.Len(t, f.held("hijklm"), 6)
}

func TestContentLargerThanTheCacheIsRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *Options) { o.CacheSize = 5 })
	for i := range 3 {
		f.service.set(0, fmt.Sprint(i), strings.Repeat("x", 100+i))
	}
	for i := range 3 {
		content, err := f.read(f.lookup(Root, fmt.Sprint(i)).Ino)
		require.NoError(t, err)
		require.Len(t, content, 100+i)
	}
}

func TestOnlyContentAtTheServiceIsEvicted(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack, func(o *Options) { o.CacheSize = 1 })
	f.absent(Root, "a")
	f.service.goAway(unreachable)
	f.tens("ab")
	f.reopen()
	for _, name := range "ab" {
		content, err := f.read(f.lookup(Root, string(name)).Ino)
		require.NoError(t, err)
		require.Equal(t, strings.Repeat(string(name), 10), content)
	}
	f.service.goAway(nil)
	f.drain()
	f.published("a", "aaaaaaaaaa")
	f.published("b", "bbbbbbbbbb")
}
