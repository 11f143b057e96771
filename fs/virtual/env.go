package virtual

import (
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/attr"
	"paperfs/fs/describe"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
)

// Env is what the nodes of one mount share.
type Env struct {
	Owner   attr.Owner
	Tell    *errno.Teller
	Numbers *inode.Virtual
}

// Node is a node that a Source makes. Its directory numbers it.
type Node interface {
	gofs.InodeEmbedder
	// Attr fills the attributes but the number, and tells how long the kernel
	// may rely on them.
	Attr(out *fuse.Attr) (valid time.Duration)
}

// About says which thing of the service a node stands for, and since when it
// is known here. It is embedded by the nodes of this package.
type About struct {
	ID   int64            // for records of failures; 0 for none
	Time func() time.Time // the three times of the node
	// What describes the thing. If it is nil the node is just generated.
	What func() describe.Description
}

func (a About) thing() int64 { return a.ID }

func (a About) describe(n *gofs.Inode) describe.Description {
	d := describe.Description{Kind: "generated", State: describe.Published, ID: a.ID}
	if a.What != nil {
		d = a.What()
	}
	d.Path = Path(n)
	return d
}

// FillAttr answers a SETATTR: a change of mode, owner or times succeeds, is
// forgotten and costs nothing, and so does truncation, which never does
// anything on its own.
func FillAttr(n Node, out *fuse.AttrOut) syscall.Errno {
	out.SetTimeout(n.Attr(&out.Attr))
	out.Ino = n.EmbeddedInode().StableAttr().Ino
	return 0
}
