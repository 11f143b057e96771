package papers

import (
	"context"
	"runtime"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/virtual"
)

// addPDF adds the inode of a PDF's name. It keeps the one that is there while the name shows that; isNew
// is set if the name is created. The kernel keeps no such name: it asks at each use.
func (t *Tree) addPDF(ctx context.Context, dir *gofs.Inode, name string, of pdfName, isNew bool, out *fuse.EntryOut) *gofs.Inode {
	out.SetEntryTimeout(0)
	child := dir.GetChild(name)
	if child != nil && !isNew {
		if s, ok := child.Operations().(*source); ok && s.current() {
			out.SetAttrTimeout(s.Attr(&out.Attr))
			return child
		}
		virtual.RememberPath(dir, name)
	}
	s := &source{Tree: t, pdfName: of}
	s.file = t.pending.NewFile(&s.Inode, of.paper())
	out.SetAttrTimeout(s.Attr(&out.Attr))
	// The number is free once nothing refers to the inode: the kernel may look it up while it forgets it.
	id := gofs.StableAttr{Mode: syscall.S_IFREG, Ino: t.Numbers.Another(dir.StableAttr().Ino, name), Gen: t.editions.Add(1)}
	runtime.AddCleanup(s, t.Numbers.Forget, id.Ino)
	out.Ino = id.Ino
	return dir.NewInode(ctx, s, id)
}

// current reports whether the name still shows this inode.
func (s *source) current() bool {
	is, _, _ := s.file.Current(s.paper())
	return is
}
