package reading

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mib = 1 << 20

// TestWhatGesturesCost counts the requests and bytes of what programs do with a large file.
func TestWhatGesturesCost(t *testing.T) {
	t.Parallel()
	content := noise(64*mib, 1)
	size := int64(len(content))
	for _, c := range []struct {
		name            string
		requests, bytes int64
		do              func(*testing.T, *Source)
	}{
		{"open and close", 1, blockSize, func(*testing.T, *Source) {}},
		{"head -c1", 1, firstPiece, func(t *testing.T, s *Source) { requireRead(t, s, content, 0, blockSize) }},
		{"a read of 1 MiB", 1, firstPiece, func(t *testing.T, s *Source) { requireRead(t, s, content, 0, mib+blockSize) }},
		{"tail -c 10", 2, 2 * blockSize, func(t *testing.T, s *Source) { requireRead(t, s, content, size-4096, size) }},
		{"the directory of a ZIP", 3, 3 * blockSize, func(t *testing.T, s *Source) {
			requireRead(t, s, content, size-4096, size)
			requireRead(t, s, content, size-blockSize-4096, size)
		}},
		{"the tail of an MP4", 3, mib, func(t *testing.T, s *Source) {
			requireRead(t, s, content, 0, 16<<10)
			requireRead(t, s, content, size-2*blockSize, size)
		}},
		{"cat", 2, size, func(t *testing.T, s *Source) { requireRead(t, s, content, 0, size) }},
		{"cat from the middle", 4, size/2 + blockSize, func(t *testing.T, s *Source) { requireRead(t, s, content, size/2, size) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := serving(content)
			p := pooled(t, f, keeping(t, 1<<30))
			s := opened(t, p, versionOf(content))
			c.do(t, s)
			s.Release()
			eventually(t, func() bool { return f.open.Load() == 0 })
			require.LessOrEqual(t, f.requests.Load(), c.requests, "requests")
			require.LessOrEqual(t, f.bytes.Load(), c.bytes, "bytes")
		})
	}
}

// TestTheStreamFollowsWhoReadsOn has a reader stop while another one reads much elsewhere, and go on when that has ended.
func TestTheStreamFollowsWhoReadsOn(t *testing.T) {
	t.Parallel()
	content := noise(48*mib, 6)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	read := func(from, to int64) {
		for at := from; at < to; at += blockSize {
			requireRead(t, s, content, at, at+blockSize)
		}
	}
	read(24*mib, 25*mib)
	read(4*mib, 4*mib+blockSize)
	read(25*mib, 48*mib)
	before := f.requests.Load()
	read(4*mib+blockSize, 20*mib)
	require.LessOrEqual(t, f.requests.Load()-before, int64(lead+2))
}

// TestRandomReadsLoadLittle reads 4 KiB at random, as the kernel does without read-ahead: at first a block
// each, then what is read, and a block where it is read again and again.
func TestRandomReadsLoadLittle(t *testing.T) {
	t.Parallel()
	content := noise(64*mib, 2)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	reads, asked := make(map[int64]int64), int64(1)
	blocks, random := int64(scattered), rand.New(rand.NewPCG(1, 2)) // by chance, reads may continue each other
	for range 2000 {
		off := 8*mib + random.Int64N(int64(len(content)-8*mib)/4096)*4096
		before := f.requests.Load()
		requireRead(t, s, content, off, off+4096)
		switch reads[off/blockSize]++; {
		case reads[off/blockSize] > mostPieces+1:
			require.Equal(t, before, f.requests.Load())
		case reads[off/blockSize] == mostPieces+1:
			blocks++
			fallthrough
		default:
			asked++
		}
	}
	require.LessOrEqual(t, f.requests.Load(), asked)
	require.LessOrEqual(t, f.bytes.Load(), asked*4096+blocks*blockSize)
}

// TestAPieceThatWasWrongIsNoticed reads at random, and gets a wrong byte. The service gives the right one
// afterwards: still nobody gets all of the content.
func TestAPieceThatWasWrongIsNoticed(t *testing.T) {
	t.Parallel()
	content := noise(8*mib, 6)
	f := serving(content)
	s := opened(t, pooled(t, f, keeping(t, 1<<30)), versionOf(content))
	defer s.Release()
	readScattered(t, s, content)
	const at = 7*mib + 8192
	f.set(func(f *fakeService) { f.flip = at + 5 })
	got := make([]byte, 4096)
	before := f.bytes.Load()
	_, err := s.ReadAt(t.Context(), got, at)
	require.NoError(t, err)
	require.EqualValues(t, len(got), f.bytes.Load()-before)
	require.NotEqual(t, content[at:at+4096], got)
	f.set(func(f *fakeService) { f.flip = -1 })
	for i := range int64(mostPieces - 1) { // right ones of the block do not hide it
		requireRead(t, s, content, 4*mib+i*blockSize, 4*mib+i*blockSize+4096)
		before := f.bytes.Load()
		requireRead(t, s, content, at+(i+1)*4096, at+(i+2)*4096)
		require.EqualValues(t, 4096, f.bytes.Load()-before)
	}
	all := make([]byte, len(content))
	_, err = s.ReadAt(t.Context(), all, 0)
	require.ErrorAs(t, err, new(*DamagedError))
}

// TestSmallFilesCostARequestEach reads files whole, and again.
func TestSmallFilesCostARequestEach(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 10_000, blockSize, blockSize + 1, mib, firstPiece} {
		content := noise(size, 3)
		f, k := serving(content), keeping(t, 1<<30)
		p := pooled(t, f, k)
		s := opened(t, p, versionOf(content))
		requireRead(t, s, content, 0, int64(size)+1)
		requireRead(t, s, content, 0, int64(size)+1)
		s.Release()
		require.EqualValues(t, 1, f.requests.Load(), "%d bytes", size)
		eventually(t, func() bool { return size == 0 || k.whole(sumOf(content)) != nil })
		again := opened(t, p, versionOf(content))
		requireRead(t, again, content, 0, int64(size)+1)
		again.Release()
		if size > 0 {
			require.EqualValues(t, 1, f.requests.Load(), "%d bytes, again", size)
		}
	}
}

// TestTheWindowDoubles reads slowly, and looks how far the stream goes ahead.
func TestTheWindowDoubles(t *testing.T) {
	t.Parallel()
	content := noise(100*mib, 4)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	for at, ahead := range map[int64]int64{blockSize: firstAhead, mib: mib, 4 * mib: 4 * mib, 40 * mib: mostAhead} {
		require.Equal(t, ahead, (&window{furthest: at}).ahead())
	}
	for at := int64(0); at < 40*mib; at += blockSize {
		requireRead(t, s, content, at, at+blockSize)
		require.LessOrEqual(t, f.bytes.Load(), max(at+blockSize+mostAhead, firstPiece)+blockSize)
	}
	eventually(t, func() bool { return f.bytes.Load() >= 40*mib+mostAhead })
}

// TestDisorderIsSequential reads with the disorder of the kernel.
func TestDisorderIsSequential(t *testing.T) {
	t.Parallel()
	content := noise(32*mib, 5)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	n := blocksOf(int64(len(content)))
	order := make([]int64, n)
	for i := range order {
		order[i] = int64(i)
	}
	for i := 0; i+3 < len(order); i += 3 {
		order[i], order[i+2] = order[i+2], order[i]
	}
	for _, i := range order {
		requireRead(t, s, content, i*blockSize, (i+1)*blockSize)
	}
	require.EqualValues(t, 2, f.requests.Load())
}

// readScattered reads at random, so that the next read of a block gets a piece.
func readScattered(t *testing.T, s *Source, content []byte) {
	for i := range int64(scattered) {
		at := (3+(i%2)*2)*mib + i*3*blockSize
		requireRead(t, s, content, at, at+4096)
	}
}

// TestTheEndOfAReaderEndsItsPiece ends a reader that waits for a piece: its request ends, and another one that
// waits for it gets the block.
func TestTheEndOfAReaderEndsItsPiece(t *testing.T) {
	t.Parallel()
	content := noise(8*mib, 7)
	f := serving(content)
	s := opened(t, pooled(t, f, keeping(t, 1<<30)), versionOf(content))
	defer s.Release()
	readScattered(t, s, content)
	const at = 7*mib + 8192
	asked := make(chan struct{})
	f.set(func(f *fakeService) {
		f.hold = func(ctx context.Context) {
			f.set(func(f *fakeService) { f.hold = nil })
			close(asked)
			<-ctx.Done()
		}
	})
	ctx, kill := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	readers.Go(func() {
		_, err := s.ReadAt(ctx, make([]byte, 4096), at)
		assert.ErrorIs(t, err, context.Canceled)
	})
	<-asked
	readers.Go(func() {
		got := make([]byte, 4096)
		n, err := s.ReadAt(t.Context(), got, at)
		assert.NoError(t, err)
		assert.Equal(t, content[at:at+4096], got[:n])
	})
	eventually(t, func() bool {
		s.pool.mu.Lock()
		defer s.pool.mu.Unlock()
		return len(s.awaited) == 1
	})
	kill()
	readers.Wait()
}
