package papers

import (
	"context"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// place is the common part of the directories of categories and papers. The kernel may
// know very many of them, so it stores nothing that can be derived from the id.
type place struct {
	virtual.Closed
	*Tree
	node int64 // 0: the mounted root
}

var (
	_ gofs.NodeFsyncer = (*place)(nil)
	_ virtual.Refuser  = (*place)(nil)
	_ inode.Describer  = (*place)(nil)
)

// nodeID returns the id of the category or paper. That of the root changes if it is
// deleted on the service and created again at the same address.
func (p *place) nodeID() int64 {
	if p.node == 0 {
		return p.Catalogue.RootID()
	}
	return p.node
}

// dirInode identifies the inode of a category or paper. What rmdir has removed gets another one if it comes back: while
// a program is in the old one, the kernel keeps that, and finds nothing in it any more.
func (t *Tree) dirInode(kind remote.NodeKind, id int64) gofs.StableAttr {
	edition, _ := t.removed.Load(id)
	gen, _ := edition.(uint64)
	return gofs.StableAttr{Mode: syscall.S_IFDIR, Ino: inode.Node(kind, id), Gen: gen}
}

// Attr implements virtual.Node.
func (p *place) Attr(out *fuse.Attr) time.Duration { return p.fill(p.Since(p.nodeID())(), out) }

// fill is Attr for a node whose first-seen time is known.
func (p *place) fill(seen time.Time, out *fuse.Attr) time.Duration {
	p.Owner.Fill(out, inode.DirMode, seen)
	out.Nlink = 2
	return time.Hour
}

// Describe implements inode.Describer.
func (p *place) Describe() inode.Description {
	d := p.About(p.nodeID()).What()
	d.Path = virtual.Path(&p.Inode)
	if d.Kind == "paper" {
		if damage := p.Documents.Damage(p.nodeID()); damage != "" {
			d.LastError = noPages + damage
		}
	}
	return d
}

// Fsync succeeds: changes in this directory are on the service already.
func (p *place) Fsync(context.Context, gofs.FileHandle, uint32) syscall.Errno { return 0 }

// Refuse implements virtual.Refuser.
func (p *place) Refuse(op, name string) syscall.Errno {
	if refused, is := virtual.RefuseRemoval(p.Tell, op, virtual.Path(&p.Inode)); is {
		return refused
	}
	return p.fail(op, name, p.refusal())
}

// refusal returns why nothing can be made or removed here.
func (p *place) refusal() error {
	words := "papers/ can contain only categories and papers: mkdir NAME creates a category, mkdir NAME.paper a paper, and so does a PDF copied here as NAME.pdf; other files belong in media/"
	if n, err := p.Tree.Node(p.nodeID()); err == nil && n.Kind == remote.PaperNode {
		words = "this directory is generated: nothing can be made or removed here. To publish a PDF, write it to source.pdf; write url, publication and preview in place: echo VALUE > url"
	}
	return errno.Refuse(syscall.EPERM, words)
}

func (p *place) fail(op, name string, err error) syscall.Errno {
	return p.Tell.Tell(op, virtual.Path(&p.Inode, name), p.nodeID(), err)
}
