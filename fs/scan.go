package fs

import (
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// scans has directories read without being opened: OPENDIR and RELEASEDIR are
// two of the four round trips that a walk makes for a directory that is new to
// it, and both of those for one that the kernel keeps.
//
// The kernel is told so by ENOSYS to its first OPENDIR. It then sends no other,
// reads with handle 0, and keeps what it read of every directory until it is
// told of a change or sees another mtime. The nodes are opened all the same,
// by the first READDIR of a scan, and released by its last. A scan that is not
// read to its end is released after idleScan; who goes on with it later opens
// another at that position, as the nodes' Seekdir lets him.
type scans struct {
	fuse.RawFileSystem
	openless bool // set before the first request but INIT

	mu   sync.Mutex
	idle map[uint64][]*scan // guarded by mu: those that are to be gone on with, by node
}

// scan is a directory handle between two of its READDIRs.
type scan struct {
	handle uint64
	at     uint64      // the offset of the next READDIR
	end    *time.Timer // releases it
}

// idleScan is how long a scan waits for its next READDIR. What it holds, such
// as a tree of the service that is old meanwhile, should not stay for long.
const idleScan = 30 * time.Second

// Init finds out whether the kernel can do without OPENDIR (Linux 5.1).
func (s *scans) Init(server *fuse.Server) {
	s.idle = make(map[uint64][]*scan)
	s.openless = server.KernelSettings().Flags&fuse.CAP_NO_OPENDIR_SUPPORT != 0
	s.RawFileSystem.Init(server)
}

func (s *scans) OpenDir(cancel <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	if s.openless {
		return fuse.ENOSYS
	}
	return s.RawFileSystem.OpenDir(cancel, in, out)
}

func (s *scans) ReadDir(cancel <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	return s.read(cancel, in, out, s.RawFileSystem.ReadDir)
}

func (s *scans) ReadDirPlus(cancel <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	return s.read(cancel, in, out, s.RawFileSystem.ReadDirPlus)
}

func (s *scans) read(cancel <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList,
	read func(<-chan struct{}, *fuse.ReadIn, *fuse.DirEntryList) fuse.Status) fuse.Status {
	if !s.openless {
		return read(cancel, in, out)
	}
	handle, status := s.resume(cancel, in)
	if status.Ok() {
		with := *in
		with.Fh = handle
		status = read(cancel, &with, out)
		if more := out.Offset != in.Offset; status.Ok() && more {
			s.suspend(in.NodeId, handle, out.Offset)
		} else {
			s.release(in.NodeId, handle)
		}
	}
	if status == fuse.ENOENT {
		// The C library would take it for the end of the directory.
		return fuse.EINVAL
	}
	return status
}

// resume gives the handle of the scan that a READDIR goes on with, or of a new
// one.
func (s *scans) resume(cancel <-chan struct{}, in *fuse.ReadIn) (handle uint64, status fuse.Status) {
	if in.Offset != 0 {
		if found := s.take(in.NodeId, func(c *scan) bool { return c.at == in.Offset }); found != nil {
			return found.handle, fuse.OK
		}
	}
	var out fuse.OpenOut
	status = s.RawFileSystem.OpenDir(cancel, &fuse.OpenIn{InHeader: in.InHeader, Flags: syscall.O_DIRECTORY}, &out)
	return out.Fh, status
}

func (s *scans) suspend(node, handle, at uint64) {
	c := &scan{handle: handle, at: at}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle[node] = append(s.idle[node], c)
	c.end = time.AfterFunc(idleScan, func() { s.drop(node, func(other *scan) bool { return other == c }) })
}

// take removes an idle scan of a node; nil where there is none.
func (s *scans) take(node uint64, which func(*scan) bool) *scan {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takeLocked(node, which)
}

func (s *scans) takeLocked(node uint64, which func(*scan) bool) *scan {
	all := s.idle[node]
	for i, c := range all {
		if !which(c) {
			continue
		}
		c.end.Stop()
		if len(all) == 1 {
			delete(s.idle, node)
		} else {
			s.idle[node] = append(all[:i], all[i+1:]...)
		}
		return c
	}
	return nil
}

// drop releases idle scans of a node. It holds mu meanwhile, so that the node
// is not forgotten before.
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

// Forget releases the node's scans first: they are nothing that the kernel
// knows of.
func (s *scans) Forget(node, lookups uint64) {
	s.drop(node, func(*scan) bool { return true })
	s.RawFileSystem.Forget(node, lookups)
}
