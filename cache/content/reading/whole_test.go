package reading

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestAServiceWithoutPartsIsReadWhole reads where there are no ranges, no strong tags, or
// neither: each byte is given on as it comes.
func TestAServiceWithoutPartsIsReadWhole(t *testing.T) {
	t.Parallel()
	content := noise(20*mib, 60)
	size := int64(len(content))
	for name, set := range map[string]func(*fakeService){
		"no ranges":             func(f *fakeService) { f.noRanges = true },
		"no tags":               func(f *fakeService) { f.noTags = true },
		"neither":               func(f *fakeService) { f.noRanges, f.noTags = true, true },
		"neither, and no sizes": func(f *fakeService) { f.noRanges, f.noTags, f.noSize = true, true, true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, k := serving(content), keeping(t, 1<<30)
			set(f)
			p := pooled(t, f, k)
			s := opened(t, p, versionOf(content))
			requireRead(t, s, content, 0, 2*mib)
			require.Less(t, f.bytes.Load(), size, "the beginning does not wait for the end")
			requireRead(t, s, content, size-10, size)
			requireRead(t, s, content, 0, size)
			require.LessOrEqual(t, f.requests.Load(), int64(2))
			eventually(t, func() bool { return k.whole(sumOf(content)) != nil })
			s.Release()
		})
	}
}

// TestWithoutPartsAndRoom reads back what was dropped.
func TestWithoutPartsAndRoom(t *testing.T) {
	t.Parallel()
	content := noise(50*mib, 61)
	f := serving(content)
	f.noRanges, f.noTags = true, true
	p := pooled(t, f, keeping(t, 0))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	requireRead(t, s, content, 0, 50*mib)
	requireRead(t, s, content, 0, 50*mib)
	var wg sync.WaitGroup
	for i := range int64(4) {
		wg.Go(func() {
			got, err := read(s, i*12*mib, (i+1)*12*mib)
			require.NoError(t, err)
			require.Equal(t, sumOf(content[i*12*mib:(i+1)*12*mib]), sumOf(got))
		})
	}
	wg.Wait()
	replace(f, noise(50*mib, 62))
	_, err := read(s, 0, 50*mib)
	require.Error(t, err, "there is no telling that it is the same version, but for the bytes")
}

// TestTheServiceForgetsRanges answers parts first, and then only the whole.
func TestTheServiceForgetsRanges(t *testing.T) {
	t.Parallel()
	content := noise(30*mib, 63)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	requireRead(t, s, content, 0, mib)
	f.set(func(f *fakeService) { f.noRanges = true })
	requireRead(t, s, content, 25*mib, 26*mib)
	requireRead(t, s, content, 10*mib, 12*mib)
	requireRead(t, s, content, 0, 30*mib)
}

// TestAnswersThatBreakOffAreResumed breaks each answer after some bytes, half a block included.
func TestAnswersThatBreakOffAreResumed(t *testing.T) {
	t.Parallel()
	content := noise(3*mib, 64)
	for _, after := range []int64{blockSize / 2, blockSize + 1, mib} {
		f := serving(content)
		f.breakAfter = after
		p := pooled(t, f, keeping(t, 1<<30))
		s := opened(t, p, versionOf(content))
		requireRead(t, s, content, 0, 3*mib)
		s.Release()
	}
}

// TestAnswersWithNothingAreAnError and so is a service without parts whose answers break off.
func TestAnswersWithNothingAreAnError(t *testing.T) {
	t.Parallel()
	content := noise(8*mib, 65)
	var silent atomic.Bool
	f := serving(content)
	f.pace = func(int64) error {
		if silent.Load() {
			return &remote.Error{Kind: remote.Stalled}
		}
		return nil
	}
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	requireRead(t, s, content, 0, mib)
	silent.Store(true)
	_, err := read(s, 0, 8*mib)
	require.Error(t, err)
	silent.Store(false)
	requireRead(t, s, content, 0, 8*mib)
	s.Release()

	f = serving(content)
	f.noRanges, f.breakAfter = true, 3*mib
	p = pooled(t, f, keeping(t, 1<<30))
	s = opened(t, p, versionOf(content))
	requireRead(t, s, content, 0, 3*mib)
	_, err = read(s, 0, 8*mib)
	require.Error(t, err)
	s.Release()
}

// TestAPausedReaderGoesOn after the service has ended its answer.
func TestAPausedReaderGoesOn(t *testing.T) {
	t.Parallel()
	content := noise(20*mib, 66)
	var broken atomic.Bool
	f := serving(content)
	f.pace = func(int64) error {
		if broken.CompareAndSwap(true, false) {
			return &remote.Error{Kind: remote.Broken}
		}
		return nil
	}
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	broken.Store(true)
	requireRead(t, s, content, 0, 3*mib)
	broken.Store(true)
	requireRead(t, s, content, 0, 20*mib)
}

// TestLiesAboutTheSizeAreDamage tells other sizes than the content has.
func TestLiesAboutTheSizeAreDamage(t *testing.T) {
	t.Parallel()
	content := noise(3*mib, 67)
	for _, lie := range []int64{-blockSize, -1, 1, mib} {
		for _, noRanges := range []bool{false, true} {
			f, k := serving(content), keeping(t, 1<<30)
			f.lieSize, f.noRanges = lie, noRanges
			p := pooled(t, f, k)
			s := p.Open(Version{Address: "a", Size: -1, Most: -1, SHA256: sumOf(content)})
			_, err := read(s, 0, 5*mib)
			require.Error(t, err, "%d", lie)
			require.Empty(t, k.kept)
			s.Release()
		}
	}
}

// TestReadersOfOneFile share what is here.
func TestReadersOfOneFile(t *testing.T) {
	t.Parallel()
	content := noise(10*mib, 68)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := read(s, 0, int64(len(content)))
			require.NoError(t, err)
			require.Equal(t, sumOf(content), sumOf(got))
		})
	}
	wg.Wait()
	require.LessOrEqual(t, f.bytes.Load(), int64(len(content))+2*mib)
}

// TestTwoReadersAtTwoPlaces both come to their end, and neither block comes often.
func TestTwoReadersAtTwoPlaces(t *testing.T) {
	t.Parallel()
	content := noise(60*mib, 69)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	var wg sync.WaitGroup
	for i := range int64(2) {
		wg.Go(func() {
			got, err := read(s, i*30*mib, (i+1)*30*mib)
			require.NoError(t, err)
			require.Equal(t, sumOf(content[i*30*mib:(i+1)*30*mib]), sumOf(got))
		})
	}
	wg.Wait()
	require.LessOrEqual(t, f.bytes.Load(), int64(len(content))*5/4)
}

// TestAStreamEndsWithTheWholeFile reads the second half of a file backwards, and then the first: the stream
// comes to the second half when the whole is judged and kept.
func TestAStreamEndsWithTheWholeFile(t *testing.T) {
	for range 20 {
		content := noise(4*mib, 70)
		f := serving(content)
		s := opened(t, pooled(t, f, keeping(t, 1<<30)), versionOf(content))
		for i := int64(len(content)/blockSize) - 1; i >= 16; i-- {
			requireRead(t, s, content, i*blockSize, (i+1)*blockSize)
		}
		requireRead(t, s, content, 0, 16*blockSize)
		eventually(t, func() bool { return s.File() != nil && f.open.Load() == 0 })
		require.LessOrEqual(t, f.bytes.Load(), int64(len(content))+blockSize)
		s.Release()
	}
}
