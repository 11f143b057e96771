package reading

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// ownFile is a file of a service in this process.
type ownFile struct {
	path string
	gone bool
}

func owning(t testing.TB, content []byte) *ownFile {
	f := &ownFile{path: filepath.Join(t.TempDir(), "own")}
	require.NoError(t, os.WriteFile(f.path, content, 0o600))
	return f
}

func (f *ownFile) open() (*os.File, error) {
	if f.gone {
		return nil, errors.New("the service has another version")
	}
	return os.Open(f.path)
}

func (f *ownFile) of(content []byte) Version {
	v := versionOf(content)
	v.Own = f.open
	return v
}

// flip changes one byte.
func (f *ownFile) flip(t require.TestingT, at int64) {
	data, err := os.ReadFile(f.path)
	require.NoError(t, err)
	file, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer file.Close()
	_, err = file.WriteAt([]byte{data[at] ^ 4}, at)
	require.NoError(t, err)
}

// TestTheServicesOwnFileIsRead without a request and without a copy, and is summed only once.
func TestTheServicesOwnFileIsRead(t *testing.T) {
	t.Parallel()
	content := noise(5*mib+1000, 20)
	size := int64(len(content))
	own, f, k := owning(t, content), serving(content), keeping(t, 1<<30)
	p := pooled(t, f, k)
	s := opened(t, p, own.of(content))
	require.Nil(t, s.File(), "nothing is right before it was summed")
	requireRead(t, s, content, size-10, size)
	require.Zero(t, s.hashed, "who reads a tail makes nothing be summed")
	requireRead(t, s, content, 0, size)
	sum, right := s.Verified()
	require.True(t, right)
	require.Equal(t, sumOf(content), sum)
	require.NotNil(t, s.File())
	s.Release()
	require.Nil(t, s.disk, "nobody has it open")
	require.True(t, s.Reopen())
	require.NotNil(t, s.File(), "it is known to be right")
	requireRead(t, s, content, 0, size)
	s.Release()
	require.Zero(t, f.requests.Load())
	require.Empty(t, k.kept)
}

// TestWhoHasTheOwnFileOpenReadsItToItsEnd after the service has removed it.
func TestWhoHasTheOwnFileOpenReadsItToItsEnd(t *testing.T) {
	t.Parallel()
	content := noise(3*mib, 21)
	own, f := owning(t, content), serving(noise(mib, 22))
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, own.of(content))
	requireRead(t, s, content, 0, mib)
	own.gone = true
	require.NoError(t, os.Remove(own.path))
	s.Supersede()
	require.True(t, s.Reopen())
	s.Release()
	requireRead(t, s, content, mib, 3*mib)
	s.Release()
	require.False(t, s.Reopen(), "nothing of it is here any more")
	require.Zero(t, f.requests.Load())
}

// TestNobodyGetsAllOfADamagedOwnFile is TestNobodyGetsAllOfDamagedContent for the service's own file.
func TestNobodyGetsAllOfADamagedOwnFile(t *testing.T) {
	t.Parallel()
	content := noise(2*mib+1000, 23)
	size := int64(len(content))
	rapid.Check(t, func(rt *rapid.T) {
		own := owning(t, content)
		own.flip(rt, rapid.Int64Range(0, size-1).Draw(rt, "flipped"))
		p := NewPool(serving(content), keeping(t, 1<<30))
		defer p.Close()
		s := p.Open(own.of(content))
		order := make([]int64, blocksOf(size))
		for i := range order {
			order[i] = int64(i)
		}
		again := rapid.IntRange(0, len(order)).Draw(rt, "closed and opened before")
		failed := false
		for at, i := range rapid.Permutation(order).Draw(rt, "order") {
			if at == again {
				s.Release()
				require.Equal(rt, at > 0, s.Reopen())
				if at == 0 {
					s = p.Open(own.of(content))
				}
			}
			_, err := s.ReadAt(context.Background(), make([]byte, blockSize), i*blockSize)
			if err != nil && err != io.EOF {
				require.ErrorAs(rt, err, new(*DamagedError))
				failed = true
			}
		}
		require.True(rt, failed, "all of it was given out")
		require.Nil(rt, s.File())
		s.Release()
	})
}

// TestAnOwnFileThatWasTouchedIsAnother is summed again, also if nobody saw the change.
func TestAnOwnFileThatWasTouchedIsAnother(t *testing.T) {
	t.Parallel()
	content := noise(mib, 24)
	own := owning(t, content)
	p := pooled(t, serving(content), keeping(t, 1<<30))
	v := own.of(content)
	v.Right = func(time.Time) bool { return true }
	s := opened(t, p, v)
	require.NotNil(t, s.File(), "the service summed it when it wrote it")
	s.Release()
	own.flip(t, 7)
	require.False(t, s.Reopen())
	s = opened(t, p, own.of(content))
	_, err := read(s, 0, mib)
	require.ErrorAs(t, err, new(*DamagedError))
	s.Release()

	require.NoError(t, os.WriteFile(own.path, content[:mib-1], 0o600))
	s = p.Open(own.of(content))
	require.ErrorAs(t, s.Begin(t.Context()), new(*DamagedError))
	s.Release()

	require.NoError(t, os.WriteFile(own.path, content, 0o600))
	s = opened(t, p, own.of(content))
	require.NoError(t, os.Truncate(own.path, mib/2))
	_, err = read(s, 0, mib)
	require.ErrorAs(t, err, new(*DamagedError), "it is no shorter file")
	s.Release()
}

// TestWithoutAnOwnFileTheServiceIsAsked if it has none, or the cache has the content already.
func TestWithoutAnOwnFileTheServiceIsAsked(t *testing.T) {
	t.Parallel()
	content := noise(mib, 25)
	own, f, k := owning(t, content), serving(content), keeping(t, 1<<30)
	p := pooled(t, f, k)
	own.gone = true
	s := opened(t, p, own.of(content))
	requireRead(t, s, content, 0, mib)
	eventually(t, func() bool { return bytes.Equal(content, k.whole(sumOf(content))) })
	s.Release()
	own.gone = false
	s = opened(t, p, own.of(content))
	require.Nil(t, s.own)
	requireRead(t, s, content, 0, mib)
	s.Release()
}
