package inode

import (
	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// FS is a tree of nodes whose notifications wait until nothing is in flight.
type FS struct {
	fuse.RawFileSystem
	table inFlight
	to    gofs.ServerCallbacks // set by Init, before the first request
}

// NewFS returns a file system for a tree.
func NewFS(root gofs.InodeEmbedder, o *gofs.Options) *FS {
	f := &FS{}
	with := *o
	with.ServerCallbacks = notifier{f}
	f.RawFileSystem = gofs.NewNodeFS(root, &with)
	return f
}

// Init does not call the tree's Init, which would replace the notifier.
func (f *FS) Init(server *fuse.Server) { f.to = server }

// notifier sends the notifications of the tree.
type notifier struct{ *FS }

var _ gofs.ServerCallbacks = notifier{}

func (n notifier) EntryNotify(parent uint64, name string) fuse.Status {
	n.table.await(parent)
	return n.to.EntryNotify(parent, name)
}

func (n notifier) DeleteNotify(parent, child uint64, name string) fuse.Status {
	n.table.await(parent)
	return n.to.DeleteNotify(parent, child, name)
}

// InodeNotify with a negative offset is about attributes alone.
func (n notifier) InodeNotify(node uint64, offset, length int64) fuse.Status {
	if offset >= 0 {
		n.table.await(node)
	}
	return n.to.InodeNotify(node, offset, length)
}

// InodeNotifyStoreCache is called by the handler of an OPEN, so it must not wait.
func (n notifier) InodeNotifyStoreCache(node uint64, offset int64, data []byte) fuse.Status {
	return n.to.InodeNotifyStoreCache(node, offset, data)
}

func (n notifier) InodeRetrieveCache(node uint64, offset int64, dest []byte) (int, fuse.Status) {
	return n.to.InodeRetrieveCache(node, offset, dest)
}

func (f *FS) Lookup(cancel <-chan struct{}, header *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	defer f.table.enter(header.NodeId)()
	return f.RawFileSystem.Lookup(cancel, header, name, out)
}

func (f *FS) ReadDir(cancel <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	defer f.table.enter(in.NodeId)()
	return f.RawFileSystem.ReadDir(cancel, in, out)
}

func (f *FS) ReadDirPlus(cancel <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	defer f.table.enter(in.NodeId)()
	return f.RawFileSystem.ReadDirPlus(cancel, in, out)
}

func (f *FS) Create(cancel <-chan struct{}, in *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	defer f.table.enter(in.NodeId)()
	return f.RawFileSystem.Create(cancel, in, name, out)
}

func (f *FS) Mknod(cancel <-chan struct{}, in *fuse.MknodIn, name string, out *fuse.EntryOut) fuse.Status {
	defer f.table.enter(in.NodeId)()
	return f.RawFileSystem.Mknod(cancel, in, name, out)
}

func (f *FS) Mkdir(cancel <-chan struct{}, in *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	defer f.table.enter(in.NodeId)()
	return f.RawFileSystem.Mkdir(cancel, in, name, out)
}

func (f *FS) Symlink(cancel <-chan struct{}, header *fuse.InHeader, target, name string, out *fuse.EntryOut) fuse.Status {
	defer f.table.enter(header.NodeId)()
	return f.RawFileSystem.Symlink(cancel, header, target, name, out)
}

func (f *FS) Link(cancel <-chan struct{}, in *fuse.LinkIn, name string, out *fuse.EntryOut) fuse.Status {
	defer f.table.enter(in.NodeId)()
	return f.RawFileSystem.Link(cancel, in, name, out)
}

func (f *FS) Unlink(cancel <-chan struct{}, header *fuse.InHeader, name string) fuse.Status {
	defer f.table.enter(header.NodeId)()
	return f.RawFileSystem.Unlink(cancel, header, name)
}

func (f *FS) Rmdir(cancel <-chan struct{}, header *fuse.InHeader, name string) fuse.Status {
	defer f.table.enter(header.NodeId)()
	return f.RawFileSystem.Rmdir(cancel, header, name)
}

// Rename enters two directories in the order of their numbers. Otherwise two renames could
// wait for each other, each behind a notification.
func (f *FS) Rename(cancel <-chan struct{}, in *fuse.RenameIn, oldName, newName string) fuse.Status {
	first, second := min(in.NodeId, in.Newdir), max(in.NodeId, in.Newdir)
	defer f.table.enter(first)()
	if second != first {
		defer f.table.enter(second)()
	}
	return f.RawFileSystem.Rename(cancel, in, oldName, newName)
}
