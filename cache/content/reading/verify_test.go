package reading

import (
	"context"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestNobodyGetsAllOfDamagedContent flips a byte at any position. Whatever the order in which a
// program reads all, it meets an error, and nothing is kept.
func TestNobodyGetsAllOfDamagedContent(t *testing.T) {
	t.Parallel()
	content := noise(5*mib+1000, 10)
	size := int64(len(content))
	rapid.Check(t, func(rt *rapid.T) {
		f, k := serving(content), keeping(t, rapid.SampledFrom([]int64{1 << 30, mib, 0}).Draw(rt, "room"))
		f.flip = rapid.Int64Range(0, size-1).Draw(rt, "flipped")
		f.noRanges = rapid.Bool().Draw(rt, "no ranges")
		p := NewPool(f, k)
		defer p.Close()
		s := opened(t, p, versionOf(content))
		defer s.Release()
		order := make([]int64, blocksOf(size))
		for i := range order {
			order[i] = int64(i)
		}
		if tail := rapid.Bool().Draw(rt, "tail first"); tail {
			slices.Reverse(order[len(order)-3:])
			order = append(order[len(order)-3:len(order):len(order)], order[:len(order)-3]...)
		} else if rapid.Bool().Draw(rt, "shuffled") {
			order = rapid.Permutation(order).Draw(rt, "order")
		}
		failed := false
		for _, i := range order {
			_, err := s.ReadAt(context.Background(), make([]byte, blockSize), i*blockSize)
			if err != nil && err != io.EOF {
				require.ErrorAs(rt, err, new(*DamagedError))
				failed = true
			}
		}
		require.True(rt, failed, "all of it was given out")
		require.Empty(rt, k.kept)
	})
}

// TestABlockThatComesAgainIsTheSame damages a block when it comes for the second time only.
func TestABlockThatComesAgainIsTheSame(t *testing.T) {
	t.Parallel()
	content := noise(8*mib, 11)
	f, k := serving(content), keeping(t, 0)
	p := pooled(t, f, k)
	s := opened(t, p, versionOf(content))
	defer s.Release()
	requireRead(t, s, content, 0, mib)
	eventually(t, func() bool { // a block that the hash is about to pass stays
		p.mu.Lock()
		defer p.mu.Unlock()
		return s.hashed >= mib/blockSize && !s.hashing
	})
	p.mu.Lock()
	for p.evictLocked(true, true) || p.evictLocked(true, false) {
	}
	p.mu.Unlock()
	f.set(func(f *fakeService) { f.flip = 10 })
	_, err := read(s, 0, mib)
	require.ErrorAs(t, err, new(*DamagedError))
}

// TestWhatWasDroppedBeforeTheHashComesAgainInOneStream reads at random with room for 8 MiB of
// memory only, until all was given out.
func TestWhatWasDroppedBeforeTheHashComesAgainInOneStream(t *testing.T) {
	t.Parallel()
	content := noise(64*mib, 12)
	f, k := serving(content), keeping(t, 0)
	p := pooled(t, f, k)
	s := opened(t, p, versionOf(content))
	defer s.Release()
	n := blocksOf(int64(len(content)))
	for i := n - 1; i > 0; i-- { // backwards: nothing that the hash could pass
		requireRead(t, s, content, i*blockSize, (i+1)*blockSize)
	}
	before := f.requests.Load()
	requireRead(t, s, content, 0, blockSize)
	require.LessOrEqual(t, f.requests.Load(), before+1)
	_, verified := s.Verified()
	require.True(t, verified)
	require.Empty(t, k.kept, "not all of it was on the disk")
	requireRead(t, s, content, 0, int64(len(content)))
}

// TestAReaderOfATailAlone gets it unverified, and at once.
func TestAReaderOfATailAlone(t *testing.T) {
	t.Parallel()
	content := noise(20*mib, 13)
	f := serving(content)
	f.flip = 5
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	requireRead(t, s, content, 19*mib, 20*mib)
}

// TestWithoutASumTheLengthIsJudged reads content of which only the size is known, or nothing.
func TestWithoutASumTheLengthIsJudged(t *testing.T) {
	t.Parallel()
	content := noise(3*mib+5, 14)
	size := int64(len(content))
	for _, v := range []Version{
		{Address: "a", Size: size, Most: -1}, {Address: "a", Size: -1, Most: size + 1000}, {Address: "a", Size: -1, Most: -1},
	} {
		for _, noRanges := range []bool{false, true} {
			f, k := serving(content), keeping(t, 1<<30)
			f.noRanges, f.noSize = noRanges, noRanges
			p := pooled(t, f, k)
			s := opened(t, p, v)
			require.Equal(t, size, s.Size())
			requireRead(t, s, content, 0, size)
			eventually(t, func() bool { return k.whole(sumOf(content)) != nil })
			sum, ok := s.Verified()
			require.True(t, ok)
			require.Equal(t, sumOf(content), sum)
			s.Release()
		}
	}
	for _, v := range []Version{{Address: "a", Size: size - 1, Most: -1}, {Address: "a", Size: size + 1, Most: -1}, {Address: "a", Size: -1, Most: size - 1}} {
		for _, noRanges := range []bool{false, true} {
			f, k := serving(content), keeping(t, 1<<30)
			f.noRanges, f.noSize = noRanges, noRanges
			p := pooled(t, f, k)
			s := p.Open(v)
			err := s.Begin(t.Context())
			if err == nil {
				_, err = read(s, 0, size+1)
			}
			require.ErrorAs(t, err, new(*DamagedError), "%+v", v)
			require.Empty(t, k.kept)
			s.Release()
		}
	}
}
