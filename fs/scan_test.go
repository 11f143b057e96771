package fs

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shelf is a file system whose directories all have this many names, ten per READDIR.
type shelf struct {
	fuse.RawFileSystem
	names  uint64
	opened uint64
	open   map[uint64]uint64 // nodes by handle
	refuse fuse.Status
}

// newScans returns scans of directories with so many names. A test that leaves some idle runs in a bubble: as the clock of that
// stands still, no timer runs beside the test.
func newScans(names uint64) (*scans, *shelf) {
	s := &shelf{RawFileSystem: fuse.NewDefaultRawFileSystem(), names: names, open: map[uint64]uint64{}}
	return &scans{RawFileSystem: s, noOpendir: true, known: func() bool { return true }, idle: map[uint64][]*scan{}}, s
}

func (s *shelf) OpenDir(_ <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	if s.refuse != fuse.OK {
		return s.refuse
	}
	s.opened++
	s.open[s.opened] = in.NodeId
	out.Fh = s.opened
	return fuse.OK
}

func (s *shelf) ReadDir(_ <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	if s.open[in.Fh] != in.NodeId {
		return fuse.EBADF
	}
	for at := in.Offset + 1; at <= min(s.names, in.Offset+10); at++ {
		out.AddDirEntry(fuse.DirEntry{Name: strconv.FormatUint(at, 10), Off: at})
	}
	return fuse.OK
}

func (s *shelf) ReleaseDir(in *fuse.ReleaseIn) { delete(s.open, in.Fh) }

func (s *shelf) Forget(node, _ uint64) {
	for handle, other := range s.open {
		if other == node {
			panic("the node was forgotten with an open handle " + strconv.FormatUint(handle, 10))
		}
	}
}

// readOnce sends one READDIR and returns the offset of the next.
func (s *scans) readOnce(t *testing.T, node, at uint64) uint64 {
	t.Helper()
	out := fuse.NewDirEntryList(make([]byte, 4096), at)
	require.Equal(t, fuse.OK, s.ReadDir(nil, &fuse.ReadIn{InHeader: fuse.InHeader{NodeId: node}, Offset: at}, out))
	return out.Offset
}

func TestAScanOpensOnceAndReleases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, below := newScans(25)
		require.Equal(t, fuse.ENOSYS, s.OpenDir(nil, &fuse.OpenIn{}, &fuse.OpenOut{}))
		for scan := range uint64(3) {
			var at uint64
			for i, want := range []uint64{10, 20, 25, 25} {
				require.Equal(t, want, s.readOnce(t, 7, at), i)
				at = want
			}
			assert.Equal(t, scan+1, below.opened)
			assert.Empty(t, below.open)
		}
		assert.Empty(t, s.idle)
	})
}

func TestScansOfOneDirectoryAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, below := newScans(25)
		s.readOnce(t, 7, 0)
		s.readOnce(t, 7, 0)
		s.readOnce(t, 8, 0)
		assert.EqualValues(t, 3, below.opened)
		for range 2 {
			assert.EqualValues(t, 20, s.readOnce(t, 7, 10))
		}
		assert.EqualValues(t, 3, below.opened)
		assert.EqualValues(t, 25, s.readOnce(t, 7, 20))
		assert.EqualValues(t, 25, s.readOnce(t, 7, 25))
		assert.Len(t, below.open, 2)
		s.Forget(7, 1)
		s.Forget(8, 1)
		assert.Empty(t, below.open)
		assert.Empty(t, s.idle)
	})
}

func TestAScanThatNobodyGoesOnWith(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, below := newScans(25)
		at := s.readOnce(t, 7, 0)
		time.Sleep(idleScan - time.Nanosecond)
		synctest.Wait()
		s.mu.Lock() // the timer's goroutine locks it too
		require.Len(t, below.open, 1)
		s.mu.Unlock()
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		assert.Empty(t, below.open)
		assert.Empty(t, s.idle)
		assert.EqualValues(t, 20, s.readOnce(t, 7, at), "another handle continues at the same position")
		assert.EqualValues(t, 2, below.opened)
		s.Forget(7, 1)
	})
}

func TestAScanThatCannotBegin(t *testing.T) {
	t.Parallel()
	s, below := newScans(25)
	for refusal, want := range map[fuse.Status]fuse.Status{fuse.EBUSY: fuse.EBUSY, fuse.ENOENT: fuse.EINVAL} {
		below.refuse = refusal
		out := fuse.NewDirEntryList(make([]byte, 4096), 0)
		assert.Equal(t, want, s.ReadDir(nil, &fuse.ReadIn{}, out))
	}
	assert.Empty(t, s.idle)
}

// TestAReaderWithLittleRoom accepts only some of the names that a READDIR returns, and requests the
// others again.
func TestAReaderWithLittleRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, below := newScans(100)
		for at := range uint64(100) {
			s.readOnce(t, 7, at)
		}
		assert.EqualValues(t, 1, below.opened)
		assert.EqualValues(t, 100, s.readOnce(t, 7, 100))
		assert.Empty(t, below.open)
		assert.Empty(t, s.idle)
	})
}

func TestManyHalfReadScans(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, below := newScans(100)
		for range 1000 {
			s.readOnce(t, 7, 0)
		}
		s.readOnce(t, 7, s.readOnce(t, 7, 10))
		assert.EqualValues(t, 1000, below.opened, "the latest handles stay open")
		assert.Len(t, below.open, idleScans)
		s.Forget(7, 1)
		assert.Empty(t, below.open)
	})
}

// TestDirectoriesAreOpenedUntilAllIsKnown checks that, until everything is known, a directory that
// cannot be listed cannot be opened either, which every program notices.
func TestDirectoriesAreOpenedUntilAllIsKnown(t *testing.T) {
	t.Parallel()
	s, below := newScans(5)
	known := false
	s.known = func() bool { return known }
	open := func() (fuse.Status, uint64) {
		var out fuse.OpenOut
		status := s.OpenDir(nil, &fuse.OpenIn{InHeader: fuse.InHeader{NodeId: 7}}, &out)
		return status, out.Fh
	}
	below.refuse = fuse.EBUSY
	status, _ := open()
	assert.Equal(t, fuse.EBUSY, status)
	below.refuse = fuse.OK
	status, first := open()
	assert.Equal(t, fuse.OK, status)
	known = true
	status, second := open()
	assert.Equal(t, fuse.OK, status, "some kernels would never release the first handle")
	for _, handle := range []uint64{first, second} {
		in := &fuse.ReadIn{InHeader: fuse.InHeader{NodeId: 7}, Fh: handle}
		require.Equal(t, fuse.OK, s.ReadDir(nil, in, fuse.NewDirEntryList(make([]byte, 4096), 0)))
		s.ReleaseDir(&fuse.ReleaseIn{InHeader: fuse.InHeader{NodeId: 7}, Fh: handle})
	}
	status, _ = open()
	assert.Equal(t, fuse.ENOSYS, status)
	assert.Empty(t, below.open)
}

// TestAKernelThatOpensDirectories simulates one before Linux 5.1.
func TestAKernelThatOpensDirectories(t *testing.T) {
	t.Parallel()
	s, below := newScans(5)
	s.noOpendir = false
	var opened fuse.OpenOut
	require.Equal(t, fuse.OK, s.OpenDir(nil, &fuse.OpenIn{InHeader: fuse.InHeader{NodeId: 7}}, &opened))
	in := &fuse.ReadIn{InHeader: fuse.InHeader{NodeId: 7}, Fh: opened.Fh}
	require.Equal(t, fuse.OK, s.ReadDir(nil, in, fuse.NewDirEntryList(make([]byte, 4096), 0)))
	assert.EqualValues(t, 1, below.opened)
	assert.Len(t, below.open, 1)
}
