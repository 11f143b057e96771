package media

import (
	"strings"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/inode"
)

// fill sets a node's attributes. A node without a name has no links.
func (t *tree) fill(a media.Attr, out *fuse.Attr) {
	owner := t.owner
	if a.OwnMode { // the umask applies only to nodes without a mode of their own
		owner.Umask = 0
	}
	owner.Fill(out, fileType(a.Kind)|a.Mode, a.Mtime)
	out.SetTimes(&a.Atime, &a.Mtime, &a.Ctime)
	if a.UID != media.Owner {
		out.Uid = uint32(a.UID)
	}
	if a.GID != media.Owner {
		out.Gid = uint32(a.GID)
	}
	out.Ino = inode.Media(uint64(a.Ino))
	out.Size = uint64(a.Size)
	out.Blocks = (out.Size + 511) / 512
	if a.Kind != media.Directory || a.Links != 1 && a.Ino != media.Root { // 1 tells programs nothing about a directory
		out.Nlink = uint32(a.Links)
	}
}

func fileType(k media.FileKind) uint32 {
	switch k {
	case media.Directory:
		return syscall.S_IFDIR
	case media.Symlink:
		return syscall.S_IFLNK
	}
	return syscall.S_IFREG
}

// nameValid returns how long the kernel may cache a name. It may not cache
//   - what is in papers/: the end of a job, or others, may replace a PDF, and a rename makes a PDF of the rest;
//   - a file that differs from the one on the service: a refusal undoes the change, and
//     the program should see that at once;
//   - one of several names of a file: when one of them is published, it becomes a file of
//     its own;
//   - a database's journal, which disappears when another database replaces its own.
func nameValid(a media.Attr) time.Duration {
	if inPapers(a) || a.Kind != media.Directory && (a.Links > 1 || a.Sidecar || a.Where == media.Writing || a.Where == media.Pending) {
		return 0
	}
	return entryValid
}

// inPapers reports whether a is the PDF of a paper, or scratch below papers/.
func inPapers(a media.Attr) bool { return a.PDF || strings.HasPrefix(a.Path, "/") }

// attrValid returns how long the kernel may cache attributes: not at all if the size is a guess, or
// programs would read no more than that, nor what changes without the kernel: a mode that a write
// changes, and a number of names.
func (t *tree) attrValid(a media.Attr) time.Duration {
	switch {
	case a.Kind == media.Directory:
		return min(dirValid, t.store.TTL())
	case inPapers(a), !a.SizeKnown, a.Mode&(syscall.S_ISUID|syscall.S_ISGID) != 0, a.Links > 1:
		return 0
	}
	return entryValid
}

// getattr answers GETATTR.
func (t *tree) getattr(ino media.Ino, out *fuse.AttrOut) syscall.Errno {
	a, err := t.store.Stat(ino)
	if err != nil {
		return t.inodeFailed("stat", a, err)
	}
	t.fill(a, &out.Attr)
	out.SetTimeout(t.attrValid(a))
	return 0
}

// setattr answers SETATTR except for the size.
func (t *tree) setattr(ino media.Ino, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	a, err := t.store.SetAttr(ino, changeOf(in))
	if err != nil {
		return t.inodeFailed("set attributes", a, err)
	}
	t.fill(a, &out.Attr)
	out.SetTimeout(t.attrValid(a))
	return 0
}

func changeOf(in *fuse.SetAttrIn) media.Change {
	var c media.Change
	if mode, ok := in.GetMode(); ok {
		c.Mode = &mode
	}
	if uid, ok := in.GetUID(); ok {
		c.UID = new(int64(uid))
	}
	if gid, ok := in.GetGID(); ok {
		c.GID = new(int64(gid))
	}
	if atime, ok := in.GetATime(); ok {
		c.Atime = &atime
	}
	if mtime, ok := in.GetMTime(); ok {
		c.Mtime = &mtime
	}
	return c
}
