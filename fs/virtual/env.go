package virtual

import (
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
	"paperfs/fs/inode"
)

// Env is shared by the nodes of one mount.
type Env struct {
	Owner   inode.Owner
	Tell    *errno.Teller
	Numbers *inode.Virtual
	Zone    *time.Location // that bare dates are days of
}

// Node is a node that a Source returns. Its directory gives it a number.
type Node interface {
	gofs.InodeEmbedder
	// Attr fills all attributes except the inode number, and returns how long the kernel
	// may cache them.
	Attr(out *fuse.Attr) (valid time.Duration)
}

// About says which thing of the service a node stands for, and since when the mount
// knows it. The nodes of this package embed it.
type About struct {
	ID   int64            // for records of failures; 0 for none
	Time func() time.Time // returns the three times of the node
	// What describes the thing. If it is nil, the node is just "generated".
	What func() inode.Description
}

func (a About) serviceID() int64 { return a.ID }

func (a About) describe(n *gofs.Inode) inode.Description {
	d := inode.Description{Kind: "generated", State: inode.Published, ID: a.ID}
	if a.What != nil {
		d = a.What()
	}
	d.Path = Path(n)
	return d
}

// FillAttr answers a GETATTR or SETATTR. A change of mode, owner or times succeeds, has
// no effect and costs no request. So does truncation: only a write changes a value.
func FillAttr(n Node, out *fuse.AttrOut) syscall.Errno {
	out.SetTimeout(n.Attr(&out.Attr))
	out.Ino = n.EmbeddedInode().StableAttr().Ino
	return 0
}
