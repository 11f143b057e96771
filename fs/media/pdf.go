package media

import (
	"context"
	"slices"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
)

// A PDF of papers/ is a file like those of media/, but for its names, which package papers knows, and for when it is sent: at the
// last close of a program that has written it.

// PDFs is what package papers knows of PDFs.
type PDFs interface {
	// Begins returns what is known of a PDF of a paper, 0 if that is to be created, which a program is about to write under a path
	// from the mount's root.
	Begins(paper int64, path string) media.PDF
	// Describe describes a PDF, of which a is known.
	Describe(a media.Attr) inode.Description
}

// Files are the files of a store for directories of other packages.
type Files struct{ *tree }

// Files returns the files of the store.
func (r *Root) Files() Files { return Files{r.tree} }

// Describe sets what knows of PDFs.
func (f Files) Know(pdfs PDFs) { f.pdfs = pdfs }

// In returns the entries of a directory of the store in a directory of the kernel.
func (f Files) In(in *gofs.Inode, dir media.Ino) Dir { return Dir{f.tree, in, dir} }

// Entry fills the reply of a call that finds a file under a name in a directory.
func (f Files) Entry(ctx context.Context, parent *gofs.Inode, a media.Attr, out *fuse.EntryOut) *gofs.Inode {
	return f.entry(ctx, parent, a, out)
}

// Create returns the handle of a PDF that a program has created, and the kernel's flags for it.
func (f Files) Created(ctx context.Context, file *media.Handle, flags uint32) (gofs.FileHandle, uint32) {
	return f.openForWriting(ctx, file, flags), openFlags(flags, file)
}

// errAppends is for rsync --append and --append-verify. They write the end of the new PDF
// after the old one, which damages the PDF if the two differ, and verify it only after the
// close that has sent it.
var errAppends = errno.Refuse(syscall.EOPNOTSUPP, "rsync --append would write the end of this file after the old PDF: leave out --append, and rsync sends the whole file")

// beginPDF is called before a program writes a PDF.
func (f *fileNode) beginPDF(ctx context.Context, a media.Attr, flags uint32) error {
	if flags&syscall.O_TRUNC == 0 && a.Size > 0 && caller.Appends(caller.Thread(ctx)) {
		return errAppends
	}
	return f.tree.store.BeginPDF(f.ino, f.tree.pdfs.Begins(a.ID, virtual.Path(&f.Inode)))
}

// sendsLast reports whether only the last close of a program may send what h has written, as far as that can be told: a descriptor that a
// program holds may be of another handle.
func (t *tree) sendsLast(h *handle) bool {
	t.openMu.Lock()
	defer t.openMu.Unlock()
	return len(t.handles[h.file.Ino()]) == 1
}

// othersSend reports whether another handle, which no program has closed yet, has written: its close sends the PDF.
func (t *tree) othersSend(h *handle) bool {
	t.openMu.Lock()
	others := slices.Clone(t.handles[h.file.Ino()])
	t.openMu.Unlock()
	return slices.ContainsFunc(others, func(o openHandle) bool { return o.handle != h && o.process != 0 && o.file.UnsentSinceEmptied() })
}

// held reports whether a program can still write to a file through a descriptor.
func (t *tree) held(in *gofs.Inode) bool {
	if in == nil {
		return false
	}
	file, ok := in.Operations().(*fileNode)
	if !ok {
		return false
	}
	t.openMu.Lock()
	handles := slices.Clone(t.handles[file.ino])
	t.openMu.Unlock()
	return slices.ContainsFunc(handles, func(o openHandle) bool { return o.uses.Held() })
}
