package reading

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/testrun"
)

func (p *Pool) measure() (memory, disk int64, streams int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.sources {
		for _, b := range s.blocks {
			if !b.memory {
				disk++
			}
		}
	}
	return p.memory, disk, len(p.streams)
}

// TestAFileLargerThanTheDiskIsRead through whatever room there is, none included.
func TestAFileLargerThanTheDiskIsRead(t *testing.T) {
	t.Parallel()
	content := noise(70*mib, 50)
	for _, room := range []int64{0, blockSize, 3 * mib, 40 * mib} {
		f, k := serving(content), keeping(t, room)
		p := pooled(t, f, k)
		s := opened(t, p, versionOf(content))
		for at := int64(0); at < int64(len(content)); at += mib {
			requireRead(t, s, content, at, at+mib)
			memory, disk, _ := p.measure()
			require.LessOrEqual(t, memory, int64(mostMemory))
			require.LessOrEqual(t, disk*blockSize, room)
		}
		require.LessOrEqual(t, f.requests.Load(), int64(8), "room %d", room) // 2, and one for a block that was dropped before a slow reader came
		_, verified := s.Verified()
		require.True(t, verified)
		require.Empty(t, k.kept)
		s.Release()
		p.Close()
		require.Equal(t, room, k.room, "all room is given back")
	}
}

// TestAReadOnlyCacheIsReadThroughMemory cannot create files.
func TestAReadOnlyCacheIsReadThroughMemory(t *testing.T) {
	t.Parallel()
	content := noise(50*mib, 51)
	f, k := serving(content), keeping(t, 1<<30)
	k.noFiles = true
	p := pooled(t, f, k)
	s := opened(t, p, versionOf(content))
	defer s.Release()
	requireRead(t, s, content, 0, int64(len(content)))
	memory, _, _ := p.measure()
	require.LessOrEqual(t, memory, int64(mostMemory))
}

// TestABlockIsGivenBeforeTheDiskHasIt checks that a reader does not wait for a slow disk, and that content of which the
// disk then takes nothing is read all the same.
func TestABlockIsGivenBeforeTheDiskHasIt(t *testing.T) {
	t.Parallel()
	for name, refuses := range map[string]bool{"it takes it": false, "it refuses it": true} {
		t.Run(name, func(t *testing.T) {
			content := noise(3*mib+77, 1)
			k := keeping(t, 1<<30)
			k.noFiles, k.slow = refuses, make(chan struct{})
			s := opened(t, pooled(t, serving(content), k), versionOf(content))
			requireRead(t, s, content, 0, 4096)
			close(k.slow)
			requireRead(t, s, content, 0, int64(len(content)))
			require.NoError(t, s.Load(t.Context()))
			require.Equal(t, refuses, s.File() == nil)
			s.Release()
		})
	}
}

// TestAtMostEightStreams reads many files at once.
func TestAtMostEightStreams(t *testing.T) {
	t.Parallel()
	content := noise(6*mib, 52)
	for _, room := range []int64{1 << 30, 0} {
		f, k := serving(content), keeping(t, room)
		p := pooled(t, f, k)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				s := p.Open(versionOf(content))
				defer s.Release()
				got, err := read(s, 0, int64(len(content)))
				require.NoError(t, err)
				require.Equal(t, sumOf(content), sumOf(got))
				_, _, streams := p.measure()
				require.LessOrEqual(t, streams, mostStreams)
			})
		}
		wg.Wait()
	}
}

// TestAStreamThatEndedForAnotherGoesOn reads nine files in turns.
func TestAStreamThatEndedForAnotherGoesOn(t *testing.T) {
	t.Parallel()
	content := noise(16*mib, 53)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	var all []*Source
	for range mostStreams + 1 {
		v := versionOf(content)
		s := opened(t, p, v)
		defer s.Release()
		all = append(all, s)
	}
	for at := int64(0); at < int64(len(content)); at += 4 * mib {
		for _, s := range all {
			requireRead(t, s, content, at, at+4*mib)
		}
	}
}

// TestBlocksStayAfterAClose until other blocks need the room.
func TestBlocksStayAfterAClose(t *testing.T) {
	t.Parallel()
	content := noise(40*mib, 54)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	s := opened(t, p, versionOf(content))
	requireRead(t, s, content, 0, 10*mib)
	s.Release()
	require.True(t, s.Reopen())
	before := f.requests.Load()
	require.NoError(t, s.Begin(t.Context()))
	requireRead(t, s, content, 0, 10*mib)
	require.Equal(t, before, f.requests.Load())
	requireRead(t, s, content, 10*mib, 40*mib)
	require.LessOrEqual(t, f.requests.Load(), before+1)
	require.LessOrEqual(t, f.bytes.Load(), int64(len(content))+mib)
	s.Release()
}

// TestAFileThatIsKeptBetweenTwoOpensBegins opens a file again while the cache takes over what came for nobody: the file is
// whole then, so no answer has to tell what it is.
func TestAFileThatIsKeptBetweenTwoOpensBegins(t *testing.T) {
	t.Parallel()
	content := noise(2*mib, 77)
	k := keeping(t, 1<<30)
	takenOver, goOn := make(chan struct{}), make(chan struct{})
	k.keeps = func() { close(takenOver); <-goOn }
	s := opened(t, pooled(t, serving(content), k), versionOf(content))
	loading, leave := context.WithCancel(t.Context())
	loaded := make(chan error)
	go func() { loaded <- s.Load(loading) }()
	<-takenOver
	leave()
	require.ErrorIs(t, <-loaded, context.Canceled)
	s.Release()
	require.True(t, s.Reopen())
	defer s.Release()
	close(goOn)
	eventually(t, func() bool { return s.File() != nil })
	patient, cancel := context.WithTimeout(t.Context(), testrun.Patience())
	defer cancel()
	require.NoError(t, s.Begin(patient))
}

// TestTheCacheMakesRoomForWriters drops blocks of open files.
func TestTheCacheMakesRoomForWriters(t *testing.T) {
	t.Parallel()
	content := noise(20*mib, 55)
	f, k := serving(content), keeping(t, 30*mib)
	p := pooled(t, f, k)
	s := opened(t, p, versionOf(content))
	defer s.Release()
	requireRead(t, s, content, 5*mib, 15*mib)
	p.Evict(25 * mib)
	k.mu.Lock()
	require.GreaterOrEqual(t, k.room, int64(25*mib))
	k.mu.Unlock()
	requireRead(t, s, content, 0, 20*mib)
}

// TestManySourcesRemainFew opens and closes more files than may stay.
func TestManySourcesRemainFew(t *testing.T) {
	t.Parallel()
	content := noise(3*mib, 56)
	f := serving(content)
	p := pooled(t, f, keeping(t, 1<<30))
	for range mostIdle + 20 {
		s := p.Open(versionOf(content))
		requireRead(t, s, content, 2*mib, 2*mib+1)
		s.Release()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	require.LessOrEqual(t, len(p.sources), mostIdle)
}

// TestChecksumsAndSets checks the pure parts against maps.
func TestChecksumsAndSets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var set blockSet
		sums, known := make(checksums), make(map[int64]string)
		for range rapid.IntRange(0, 50).Draw(t, "steps") {
			i, data := rapid.Int64Range(0, 5000).Draw(t, "block"), rapid.StringN(0, 2, -1).Draw(t, "data")
			was, ok := known[i]
			require.Equal(t, ok, set.has(i))
			if !ok {
				known[i] = data
			}
			require.Equal(t, !ok || was == data, sums.same(i, []byte(data)))
			set.add(i)
			require.EqualValues(t, len(known), set.count)
		}
	})
}

// TestDownloadsAreTold reads a piece and stops: more than that is here, less than all.
func TestDownloadsAreTold(t *testing.T) {
	content := noise(20<<20, 1)
	p := pooled(t, serving(content), keeping(t, 1<<30))
	v := versionOf(content)
	v.Place = func() string { return "film" }
	require.Empty(t, p.Downloads())
	s := opened(t, p, v)
	requireRead(t, s, content, 0, 3<<20)
	list := p.Downloads()
	require.Len(t, list, 1)
	require.Equal(t, "film", list[0].Version.Place())
	require.Equal(t, v.Size, list[0].Size)
	require.GreaterOrEqual(t, list[0].Here, int64(3<<20))
	require.Less(t, list[0].Here, v.Size)
	s.Release()
	eventually(t, func() bool { return len(p.Downloads()) == 0 })
}
