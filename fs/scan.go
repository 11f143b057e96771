package fs

import (
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// scans lets the kernel read directories without opening them. OPENDIR and RELEASEDIR
// are two of the four round trips of a walk for a directory that is new to the kernel,
// and the only two for a directory whose listing the kernel has cached.
//
// The answer ENOSYS to an OPENDIR turns this on. From then on the kernel sends no
// OPENDIRs, reads with handle 0, and caches every listing until it gets a notice or sees
// another mtime. The first READDIR of a scan still opens the node, and the last one
// releases it. A scan that does not reach the end is released after idleScan. A program
// that continues it later opens a new scan at that position, through the nodes' Seekdir.
//
// Many programs notice that opening a directory fails, but take a failing READDIR for the
// end and show an empty directory. So scans turns this on only once papers/ and media/
// are known, because listing them cannot fail then.
type scans struct {
	fuse.RawFileSystem
	known     func() bool // the catalogue and media/ are cached, so that a walk waits for no request
	noOpendir bool        // the kernel supports READDIR without OPENDIR; set by INIT, before any other request

	mu     sync.Mutex
	opened int                // guarded by mu: directories that the kernel has open
	idle   map[uint64][]*scan // guarded by mu: scans between two READDIRs, by node, newest last
}

// scan is a directory handle between two READDIRs.
type scan struct {
	handle uint64
	at     uint64      // the offset of the next READDIR
	reader uint32      // the thread that reads
	end    *time.Timer // releases the scan
}

// idleScan is how long a scan waits for its next READDIR. A waiting scan may keep an old
// tree in memory.
const idleScan = 30 * time.Second

// idleScans is the most scans of one directory that may wait: enough for that many
// readers at once, and a bound on the memory for scans that programs abandon.
const idleScans = 8

// Init detects whether the kernel can do without OPENDIR (Linux 5.1).
func (s *scans) Init(server *fuse.Server) {
	s.idle = make(map[uint64][]*scan)
	s.noOpendir = server.KernelSettings().Flags&fuse.CAP_NO_OPENDIR_SUPPORT != 0
	s.RawFileSystem.Init(server)
}

func (s *scans) OpenDir(cancel <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	if !s.open() {
		return fuse.ENOSYS
	}
	status := s.RawFileSystem.OpenDir(cancel, in, out)
	if !status.Ok() {
		s.closed()
	}
	return listingStatus(status)
}

// open reports whether an OPENDIR must open the directory, and counts it if so. It must
// while other directories are open: before Linux 6.9, a kernel that opens without OPENDIR
// no longer releases those.
func (s *scans) open() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.noOpendir && s.opened == 0 && s.known() {
		return false
	}
	s.opened++
	return true
}

func (s *scans) closed() {
	s.mu.Lock()
	s.opened--
	s.mu.Unlock()
}

// ReleaseDir releases a directory that the kernel opened.
func (s *scans) ReleaseDir(in *fuse.ReleaseIn) {
	s.RawFileSystem.ReleaseDir(in)
	s.closed()
}

func (s *scans) ReadDir(cancel <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	return listingStatus(s.read(cancel, in, out, s.RawFileSystem.ReadDir))
}

func (s *scans) ReadDirPlus(cancel <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	return listingStatus(s.read(cancel, in, out, s.RawFileSystem.ReadDirPlus))
}

// listingStatus maps the status of a listing: the C library takes ENOENT from a READDIR for the
// end of the directory.
func listingStatus(status fuse.Status) fuse.Status {
	if status == fuse.ENOENT {
		return fuse.EINVAL
	}
	return status
}

func (s *scans) read(cancel <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList,
	read func(<-chan struct{}, *fuse.ReadIn, *fuse.DirEntryList) fuse.Status) fuse.Status {
	if in.Fh != 0 {
		return read(cancel, in, out)
	}
	handle, status := s.resume(cancel, in)
	if !status.Ok() {
		return status
	}
	with := *in
	with.Fh = handle
	status = read(cancel, &with, out)
	if more := out.Offset != in.Offset; status.Ok() && more {
		s.suspend(in.NodeId, &scan{handle: handle, at: out.Offset, reader: in.Pid})
	} else {
		s.release(in.NodeId, handle)
	}
	return status
}

// resume returns the handle of the scan that a READDIR continues, or of a new scan. A
// reader whose buffer took only some of the names continues before the position of its
// own scan.
func (s *scans) resume(cancel <-chan struct{}, in *fuse.ReadIn) (handle uint64, status fuse.Status) {
	if in.Offset != 0 {
		found := s.take(in.NodeId, func(c *scan) bool { return c.at == in.Offset })
		if found == nil {
			found = s.take(in.NodeId, func(c *scan) bool { return c.reader == in.Pid })
		}
		if found != nil {
			return found.handle, fuse.OK
		}
	}
	var out fuse.OpenOut
	status = s.RawFileSystem.OpenDir(cancel, &fuse.OpenIn{InHeader: in.InHeader, Flags: syscall.O_DIRECTORY}, &out)
	return out.Fh, status
}

// suspend keeps a scan for its next READDIR. If too many wait, it releases the one that
// has waited longest.
func (s *scans) suspend(node uint64, c *scan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all := s.idle[node]; len(all) == idleScans {
		s.release(node, s.takeLocked(node, all[0].same).handle)
	}
	s.idle[node] = append(s.idle[node], c)
	c.end = time.AfterFunc(idleScan, func() { s.drop(node, c.same) })
}

func (c *scan) same(other *scan) bool { return c == other }

// take removes and returns the newest idle scan of a node that which accepts, or nil.
func (s *scans) take(node uint64, which func(*scan) bool) *scan {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takeLocked(node, which)
}

func (s *scans) takeLocked(node uint64, which func(*scan) bool) *scan {
	all := s.idle[node]
	for i, c := range slices.Backward(all) {
		if !which(c) {
			continue
		}
		c.end.Stop()
		if len(all) == 1 {
			delete(s.idle, node)
		} else {
			s.idle[node] = slices.Delete(all, i, i+1)
		}
		return c
	}
	return nil
}

// drop releases idle scans of a node. It holds mu throughout, so that go-fuse does not
// forget the node before they are released.
func (s *scans) drop(node uint64, which func(*scan) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := s.takeLocked(node, which); c != nil; c = s.takeLocked(node, which) {
		s.release(node, c.handle)
	}
}

func (s *scans) release(node, handle uint64) {
	s.RawFileSystem.ReleaseDir(&fuse.ReleaseIn{InHeader: fuse.InHeader{NodeId: node}, Fh: handle})
}

// Forget releases the node's scans first, because the kernel does not know of them.
func (s *scans) Forget(node, lookups uint64) {
	s.drop(node, func(*scan) bool { return true })
	s.RawFileSystem.Forget(node, lookups)
}
