package reading

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

func replace(f *fakeService, content []byte) {
	sum := sumOf(content)
	f.set(func(f *fakeService) { f.content, f.sum = content, sum })
}

// TestAnAnswerUnderWayIsReadToItsEnd replaces the content while a slow program reads it.
func TestAnAnswerUnderWayIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	content := noise(80*mib, 20)
	f, k := serving(content), keeping(t, 1<<30)
	p := pooled(t, f, k)
	s := opened(t, p, versionOf(content))
	requireRead(t, s, content, 0, 3*mib)
	replace(f, noise(80*mib, 21))
	s.Supersede()
	requireRead(t, s, content, 3*mib, 80*mib)
	require.EqualValues(t, 2, f.requests.Load())
	s.Release()
	require.False(t, s.Reopen(), "no name shows it")
}

// TestABlockThatASupersededVersionLacksIsStale reads what no answer under way has.
func TestABlockThatASupersededVersionLacksIsStale(t *testing.T) {
	t.Parallel()
	content := noise(80*mib, 22)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	requireRead(t, s, content, 0, firstPiece)
	replace(f, noise(80*mib, 23))
	_, err := read(s, 60*mib, 60*mib+10)
	require.ErrorIs(t, err, ErrSuperseded)
	_, err = read(s, firstPiece, firstPiece+10)
	require.ErrorIs(t, err, ErrSuperseded)
	requireRead(t, s, content, 0, firstPiece)
}

// TestAnOpenOfASupersededVersionIsStale closes the file before the version changes, and opens it
// again when the beginning is not here any more.
func TestAnOpenOfASupersededVersionIsStale(t *testing.T) {
	t.Parallel()
	content := noise(8*mib, 24)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	requireRead(t, s, content, 7*mib, 7*mib+10)
	s.Release()
	require.True(t, s.Reopen())
	replace(f, noise(8*mib, 25))
	require.ErrorIs(t, s.Begin(t.Context()), ErrSuperseded)
	s.Release()
}

// TestTagsThatAreSumsTellAnotherVersion opens a version that was replaced unseen by one of the same and of another size,
// at a service whose tags have turned out to be sums.
func TestTagsThatAreSumsTellAnotherVersion(t *testing.T) {
	t.Parallel()
	first, content := noise(100, 26), noise(mib, 27)
	f, k := serving(first), keeping(t, 1<<30)
	p := pooled(t, f, k)
	s := opened(t, p, versionOf(first))
	requireRead(t, s, first, 0, 100)
	s.Release()
	for _, size := range []int{mib, mib - 1, mib + 1, 0, 20 * mib} {
		replace(f, noise(size, 28))
		s = p.Open(versionOf(content))
		require.ErrorIs(t, s.Begin(t.Context()), ErrSuperseded, "%d bytes", size)
		s.Release()
	}
}

// TestTheSameTagForOtherContentIsDamage reads from a service whose tags do not change.
func TestTheSameTagForOtherContentIsDamage(t *testing.T) {
	t.Parallel()
	content := noise(8*mib, 29)
	f := serving(content)
	f.sameTag = true
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	requireRead(t, s, content, 0, firstPiece)
	replace(f, noise(8*mib, 30))
	_, err := read(s, firstPiece, 8*mib)
	require.ErrorAs(t, err, new(*DamagedError))
}

// TestReadersWhileVersionsCome reads each version while the next ones come. A reader gets the whole
// version that it opened, or an error, and no mixture.
func TestReadersWhileVersionsCome(t *testing.T) {
	t.Parallel()
	versions := make([][]byte, 6)
	for i := range versions {
		versions[i] = noise(6*mib, uint64(40+i))
	}
	f := serving(versions[0])
	p := pooled(t, f, keeping(t, 1<<30))
	var wg sync.WaitGroup
	whole := make(chan bool, 100)
	for i, content := range versions {
		replace(f, content)
		s := opened(t, p, versionOf(content))
		for range 4 {
			require.True(t, s.Reopen())
			wg.Go(func() {
				defer s.Release()
				got, err := read(s, 0, int64(len(content)))
				if err == nil {
					require.Equal(t, sumOf(content), sumOf(got))
				} else {
					require.ErrorIs(t, err, ErrSuperseded)
				}
				whole <- err == nil
			})
		}
		if i > 0 {
			eventually(t, func() bool { return f.bytes.Load() > int64(i)*3*mib })
		}
		s.Supersede()
		s.Release()
	}
	wg.Wait()
	close(whole)
	n := 0
	for ok := range whole {
		if ok {
			n++
		}
	}
	require.Positive(t, n)
}

// TestASignalEndsARead interrupts each kind of wait.
func TestASignalEndsARead(t *testing.T) {
	t.Parallel()
	content := noise(20*mib, 31)
	for name, do := range map[string]func(context.Context, *Source) error{
		"open":   func(ctx context.Context, s *Source) error { return s.Begin(ctx) },
		"stream": func(ctx context.Context, s *Source) error { _, err := s.ReadAt(ctx, make([]byte, 10), 0); return err },
		"block": func(ctx context.Context, s *Source) error {
			_, err := s.ReadAt(ctx, make([]byte, 10), 15*mib)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := serving(content)
			asked := make(chan bool, 10)
			f.hold = func(ctx context.Context) { asked <- true; <-ctx.Done() }
			p := pooled(t, f, keeping(t, 1<<30))
			s := p.Open(versionOf(content))
			if name == "block" {
				f.set(func(f *fakeService) { f.hold = nil })
				require.NoError(t, s.Begin(t.Context()))
				f.set(func(f *fakeService) { f.hold = func(ctx context.Context) { asked <- true; <-ctx.Done() } })
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- do(ctx, s) }()
			<-asked
			cancel()
			require.ErrorIs(t, <-ended, context.Canceled)
			s.Release()
		})
	}
}

// TestAnErrorReachesAllThatWait and no later read.
func TestAnErrorReachesAllThatWait(t *testing.T) {
	t.Parallel()
	content := noise(4*mib, 32)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	defer s.Release()
	requireRead(t, s, content, 0, firstPiece)
	failed := &remote.Error{Kind: remote.Unreachable}
	go_, asked := make(chan bool), make(chan bool, 1)
	f.set(func(f *fakeService) { f.refuse, f.hold = failed, func(context.Context) { asked <- true; <-go_ } })
	errs := make(chan error)
	for range 3 {
		go func() { _, err := read(s, firstPiece, firstPiece+10); errs <- err }()
	}
	<-asked
	eventually(t, func() bool { p.mu.Lock(); defer p.mu.Unlock(); return s.awaited[firstPiece/blockSize] == 3 })
	close(go_)
	for range 3 {
		require.ErrorIs(t, <-errs, failed)
	}
	f.set(func(f *fakeService) { f.refuse, f.hold = nil, nil })
	requireRead(t, s, content, 0, 4*mib)
}
