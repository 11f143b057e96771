package inode

import (
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// Owner is the owner of the mount's nodes, and the umask applied to their
// permissions.
type Owner struct {
	UID, GID uint32
	Umask    uint32
}

// Fill sets mode, owner, link count and the three times of a node. mode includes the
// file type; the umask applies to its permissions.
func (o Owner) Fill(out *fuse.Attr, mode uint32, t time.Time) {
	out.Mode = mode &^ (o.Umask & 0o777)
	out.Uid, out.Gid = o.UID, o.GID
	out.Nlink = 1
	out.SetTimes(&t, &t, &t)
}

// DirMode, FileMode, ReadOnlyMode and LinkMode are the modes of generated nodes before the umask.
const (
	DirMode      = syscall.S_IFDIR | 0o755
	FileMode     = syscall.S_IFREG | 0o644
	ReadOnlyMode = syscall.S_IFREG | 0o444
	LinkMode     = syscall.S_IFLNK | 0o777
)
