package fs

import (
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
)

// rawFS handles the requests that nodes cannot handle.
type rawFS struct {
	scans
	media        *media.Store
	startNotices func() // starts the notices to the kernel
}

// Init runs once the kernel can receive notices.
func (r *rawFS) Init(server *fuse.Server) {
	r.scans.Init(server)
	r.startNotices()
}

// Lookup lets a node say how long the kernel may cache the absence of a name: the node
// sets the entry timeout and returns ENOENT.
func (r *rawFS) Lookup(cancel <-chan struct{}, header *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	if len(name) > longestName { // the kernel passes longer names on
		return fuse.Status(syscall.ENAMETOOLONG)
	}
	status := r.RawFileSystem.Lookup(cancel, header, name, out)
	if valid := out.EntryTimeout(); status == fuse.ENOENT && valid > 0 {
		*out = fuse.EntryOut{} // node 0 stands for no node
		out.SetEntryTimeout(valid)
		return fuse.OK
	}
	return status
}

// longestName is NAME_MAX.
const longestName = 255

// StatFs returns the local space for content that is not on the service yet. In media/, what is free is at most what is
// left of the quota there; no more is known of the space on the service.
func (r *rawFS) StatFs(cancel <-chan struct{}, header *fuse.InHeader, out *fuse.StatfsOut) fuse.Status {
	const block = 4096
	room := r.media.Space()
	out.Bsize, out.Frsize, out.NameLen = block, block, longestName
	out.Blocks = uint64(room.Total) / block
	out.Bfree = uint64(room.Free) / block
	out.Bavail = out.Bfree
	return r.scans.StatFs(cancel, header, out)
}

// SetXAttr and RemoveXAttr return EOPNOTSUPP. cp and mv then treat the file system as one
// without extended attributes. A node with read-only attributes would return ENODATA, and
// both programs fail on that.
func (r *rawFS) SetXAttr(<-chan struct{}, *fuse.SetXAttrIn, string, []byte) fuse.Status {
	return fuse.Status(syscall.EOPNOTSUPP)
}

func (r *rawFS) RemoveXAttr(<-chan struct{}, *fuse.InHeader, string) fuse.Status {
	return fuse.Status(syscall.EOPNOTSUPP)
}
