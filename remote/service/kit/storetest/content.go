package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// Contents are what a test of a store.Contents uses.
type Contents struct {
	store.Contents
	// Drop drops content like a change that replaced it.
	Drop func(key string)
	// Unknown is a valid key without content.
	Unknown string
}

// RunContents runs all tests of a store.Contents, each with its own contents.
func RunContents(t *testing.T, open func(t *testing.T) Contents) {
	for name, test := range map[string]func(*testing.T, Contents){
		"sizes":    sizes,
		"restart":  restart,
		"discard":  discard,
		"parts":    parts,
		"dropped":  dropped,
		"keys":     keys,
		"together": together,
		"given up": givenUp,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// Bytes returns content that depends only on the seed.
func Bytes(seed uint64, size int) []byte {
	content := make([]byte, size)
	var key [32]byte
	key[0], key[1] = byte(seed), byte(seed>>8)
	_, _ = rand.NewChaCha8(key).Read(content)
	return content
}

// WriteContent writes content in pieces of odd lengths and returns its key.
func WriteContent(t testing.TB, c store.Contents, content []byte) (key string) {
	t.Helper()
	d, err := c.Create(t.Context())
	require.NoError(t, err)
	defer d.Discard()
	write(t, d, content)
	key, err = d.Commit()
	require.NoError(t, err)
	return key
}

func write(t testing.TB, d store.Draft, content []byte) {
	t.Helper()
	for piece := 1; len(content) > 0; piece = piece*3%131_071 + 1 {
		n, err := d.Write(content[:min(piece, len(content))])
		require.NoError(t, err)
		require.Equal(t, min(piece, len(content)), n)
		content = content[n:]
	}
}

// ReadContent reads a whole part of content.
func ReadContent(t testing.TB, c store.Contents, key string, offset, length int64) []byte {
	t.Helper()
	r, err := c.Open(t.Context(), key, offset, length)
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	return content
}

const mib = 1 << 20

// sizes tests the sizes around which implementations may behave differently.
func sizes(t *testing.T, k Contents) {
	for i, size := range []int{0, 1, store.SmallContent, store.SmallContent + 1, 256<<10 + 1, 8*mib - 1, 8 * mib, 8*mib + 1, 20*mib + 7} {
		content := Bytes(uint64(i), size)
		key := WriteContent(t, k, content)
		require.True(t, bytes.Equal(content, ReadContent(t, k, key, 0, int64(size))), "%d bytes", size)
		_, err := k.Open(t.Context(), key, 0, int64(size)+1)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%d bytes", size)
	}
}

func restart(t *testing.T, k Contents) {
	for _, void := range []int{0, 10, store.SmallContent + 1, 17 * mib} {
		d, err := k.Create(t.Context())
		require.NoError(t, err)
		write(t, d, Bytes(1, void))
		require.NoError(t, d.Restart())
		small, err := d.Small()
		require.NoError(t, err)
		if void <= store.SmallContent {
			require.NotNil(t, small)
			require.Empty(t, small)
		}
		content := Bytes(2, 9*mib)
		write(t, d, content)
		small, err = d.Small()
		require.NoError(t, err)
		require.Nil(t, small)
		key, err := d.Commit()
		require.NoError(t, err)
		d.Discard()
		require.True(t, bytes.Equal(content, ReadContent(t, k, key, 0, 9*mib)))
	}
}

// discard checks that no draft leaves anything that another draft would find, however far it got.
func discard(t *testing.T, k Contents) {
	for _, size := range []int{0, 1, store.SmallContent, store.SmallContent + 1, 17 * mib} {
		d, err := k.Create(t.Context())
		require.NoError(t, err)
		write(t, d, Bytes(3, size))
		small, err := d.Small()
		require.NoError(t, err)
		require.Equal(t, size <= store.SmallContent, small != nil)
		if small != nil {
			require.True(t, bytes.Equal(Bytes(3, size), small))
		}
		d.Discard()
		d.Discard()
	}
}

// parts reads parts in any order, with Seek.
func parts(t *testing.T, k Contents) {
	content := Bytes(4, 9*mib+123)
	key := WriteContent(t, k, content)
	size := int64(len(content))
	random := rand.New(rand.NewPCG(1, 2))
	for _, span := range [][2]int64{{0, 0}, {size, 0}, {3, 4}, {size - 1, 1}, {8*mib - 5, 10}, {mib, 2 * mib}, {0, size}, {17, size - 17}} {
		offset, length := span[0], span[1]
		want := content[offset : offset+length]
		r, err := k.Open(t.Context(), key, offset, length)
		require.NoError(t, err)
		end, err := r.Seek(0, io.SeekEnd)
		require.NoError(t, err)
		require.Equal(t, length, end)
		for range 3 {
			at := random.Int64N(length + 1)
			_, err = r.Seek(at, io.SeekStart)
			require.NoError(t, err)
			piece := make([]byte, min(100, length-at))
			_, err = io.ReadFull(r, piece)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want[at:at+int64(len(piece))], piece), "%v at %d", span, at)
		}
		_, err = r.Seek(0, io.SeekStart)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "%v", span)
		require.NoError(t, r.Close())
		_, err = k.Open(t.Context(), key, offset, size-offset+1)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "the content is shorter than its record says")
	}
	_, err := k.Open(t.Context(), key, size, 1)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// dropped checks that an open reader can read dropped content to its end.
func dropped(t *testing.T, k Contents) {
	content := Bytes(5, 9*mib)
	key := WriteContent(t, k, content)
	begun, err := k.Open(t.Context(), key, 0, 9*mib)
	require.NoError(t, err)
	part, err := k.Open(t.Context(), key, 3, 4)
	require.NoError(t, err)
	head := make([]byte, 10)
	_, err = io.ReadFull(begun, head)
	require.NoError(t, err)
	k.Drop(key)
	k.Drop(key)
	rest, err := io.ReadAll(begun)
	require.NoError(t, err)
	require.True(t, bytes.Equal(content, append(head, rest...)))
	_, err = begun.Seek(mib, io.SeekStart)
	require.NoError(t, err)
	again, err := io.ReadAll(begun)
	require.NoError(t, err, "a remote store requests content again that is read again")
	require.True(t, bytes.Equal(content[mib:], again))
	four, err := io.ReadAll(part)
	require.NoError(t, err)
	require.Equal(t, content[3:7], four)
	require.NoError(t, begun.Close())
	require.NoError(t, part.Close())
}

func keys(t *testing.T, k Contents) {
	for _, key := range []string{"", "..", "../../etc/passwd", "/etc/passwd", "incoming", k.Unknown} {
		for _, length := range []int64{0, 1, mib} {
			_, err := k.Open(t.Context(), key, 0, length)
			require.ErrorIs(t, err, store.ErrNotFound, key)
		}
	}
}

// together checks that concurrent drafts and readers are independent.
func together(t *testing.T, k Contents) {
	var all sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]bool{}
	for i := range 8 {
		all.Go(func() {
			content := Bytes(uint64(10+i), 1+i*3*mib/2)
			key := WriteContent(t, k, content)
			got := ReadContent(t, k, key, 0, int64(len(content)))
			if sha256.Sum256(got) != sha256.Sum256(content) {
				t.Errorf("content %d has other bytes", i)
			}
			mu.Lock()
			defer mu.Unlock()
			if seen[key] {
				t.Errorf("the key %s was assigned twice", key)
			}
			seen[key] = true
		})
	}
	all.Wait()
}

func givenUp(t *testing.T, k Contents) {
	key := WriteContent(t, k, []byte("0123456789"))
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	_, err := k.Open(given, key, 0, 10)
	require.ErrorIs(t, err, context.Canceled)
	_, err = k.Create(given)
	require.ErrorIs(t, err, context.Canceled)
}
