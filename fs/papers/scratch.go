package papers

import (
	"context"
	"strings"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/content/localname"
	"paperfs/cache/media"
	"paperfs/fs/caller"
	mediafs "paperfs/fs/media"
)

// What rsync, editors and browsers write on the way to a PDF has a temporary name: in a category or a paper it is scratch, as in
// media/, in the twin of that. No listing shows it.

var (
	_ gofs.NodeMknoder   = (*place)(nil)
	_ gofs.NodeSymlinker = (*place)(nil)
	_ gofs.NodeLinker    = (*place)(nil)
)

// files returns the entries of the twin.
func (p *place) files() mediafs.Dir { return p.Files.In(&p.Inode, p.Media.Twin(p.nodeID())) }

// staysLocal reports whether a name is a temporary one.
func (p *place) staysLocal(ctx context.Context, name string) bool {
	comm := ""
	if thread := caller.Thread(ctx); thread != 0 && localname.CommMatters(name) {
		comm = caller.Comm(caller.Process(thread))
	}
	return p.Media.Scratch(p.Media.FindTwin(p.nodeID()), name, comm)
}

// dirStaysLocal is staysLocal for a directory: only those for content on its way, and rsync's, hold PDFs that will get another name.
func (p *place) dirStaysLocal(ctx context.Context, name string) bool {
	return p.Hidden(p.nodeID(), name) == nil && p.staysLocal(ctx, name) &&
		(localname.Unfinished(name) || caller.Comm(caller.Process(caller.Thread(ctx))) == "rsync")
}

// scratch returns the entry of a name that stays on this machine.
func (p *place) scratch(name string) (a media.Attr, is bool) {
	twin := p.Media.FindTwin(p.nodeID())
	if twin == 0 {
		return a, false
	}
	a, err := p.Media.Lookup(context.Background(), twin, name)
	return a, err == nil && !a.PDF
}

// lookupScratch returns such an entry, or nil. The kernel keeps none.
func (p *place) lookupScratch(ctx context.Context, name string, out *fuse.EntryOut) *gofs.Inode {
	a, is := p.scratch(name)
	if !is {
		return nil
	}
	found := p.Files.Entry(ctx, &p.Inode, a, out)
	out.SetEntryTimeout(0)
	return found
}

// scratchBelow returns the path of something below a category or paper that stays on this machine, or "".
func (t *Tree) scratchBelow(id int64) string {
	for _, l := range t.Media.LocalNames() {
		if rest, below := strings.CutPrefix(l.Path, "/"+t.Path(id)+"/"); below {
			return rest
		}
	}
	return ""
}

func (p *place) Mknod(ctx context.Context, name string, mode, dev uint32, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if !p.staysLocal(ctx, name) {
		return p.Closed.Mknod(ctx, name, mode, dev, out)
	}
	return p.files().Mknod(ctx, name, mode, dev, out)
}

func (p *place) Symlink(ctx context.Context, target, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if !p.staysLocal(ctx, name) {
		return p.Closed.Symlink(ctx, target, name, out)
	}
	return p.files().Symlink(ctx, target, name, out)
}

func (p *place) Link(ctx context.Context, target gofs.InodeEmbedder, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	if !p.staysLocal(ctx, name) {
		return p.Closed.Link(ctx, target, name, out)
	}
	return p.files().Link(ctx, target, name, out)
}
