package fs

import (
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
)

// rawFS answers what the nodes cannot.
type rawFS struct {
	scans
	media *media.Store
	watch func() // has the kernel told of changes
}

// Init is called once the kernel can be told of something.
func (r *rawFS) Init(server *fuse.Server) {
	r.scans.Init(server)
	r.watch()
}

// Lookup lets a node say how long the kernel may rely on a name's absence: by
// setting the entry's timeout and answering ENOENT.
func (r *rawFS) Lookup(cancel <-chan struct{}, header *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	if len(name) > longestName { // the kernel lets longer ones pass
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

// StatFs answers in one way for every node: the room there is for what is not
// at the service yet. How much the service takes is not known.
func (r *rawFS) StatFs(_ <-chan struct{}, _ *fuse.InHeader, out *fuse.StatfsOut) fuse.Status {
	const block = 4096
	room := r.media.Space()
	out.Bsize, out.Frsize, out.NameLen = block, block, longestName
	out.Blocks = uint64(room.Total) / block
	out.Bfree = uint64(room.Free) / block
	out.Bavail = out.Bfree
	return fuse.OK
}

// SetXAttr and RemoveXAttr answer EOPNOTSUPP, which cp and mv take for a file system
// without extended attributes. A node that can only show its attributes would answer
// ENODATA, and both programs fail with that.
func (r *rawFS) SetXAttr(<-chan struct{}, *fuse.SetXAttrIn, string, []byte) fuse.Status {
	return fuse.Status(syscall.EOPNOTSUPP)
}

func (r *rawFS) RemoveXAttr(<-chan struct{}, *fuse.InHeader, string) fuse.Status {
	return fuse.Status(syscall.EOPNOTSUPP)
}
