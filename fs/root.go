package fs

import (
	"context"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/document"
	"paperfs/fs/flush"
	"paperfs/fs/inode"
	mediafs "paperfs/fs/media"
	"paperfs/fs/papers"
	"paperfs/fs/virtual"
)

// root is the mount's root directory. Its entries are there from the start and never
// go.
type root struct {
	virtual.Dir
	children []rootChild
	media    *mediafs.Root
	watch    func() // has the kernel told of what others change
}

type rootChild struct {
	name   string
	node   gofs.InodeEmbedder
	mode   uint32 // the file type
	number uint64 // 0: that of a generated name
}

var (
	_ gofs.NodeOnAdder  = (*root)(nil)
	_ gofs.NodeLookuper = (*root)(nil)
)

// newRoot puts the tree together.
func newRoot(o Options, env *virtual.Env, judge *flush.Judge, media *mediafs.Root) *root {
	since := func() time.Time { return o.Since }
	tree := papers.NewTree(papers.Options{Env: env, Catalogue: o.Catalogue, Documents: o.Documents, Media: o.Media, Judge: judge, AllowDelete: o.AllowDelete, Started: since})
	watch := func() {
		o.Catalogue.OnChange(tree.Invalidate)
		media.Watch()
	}
	r := &root{Dir: virtual.Dir{Env: env, About: virtual.About{Time: since}}, media: media, watch: watch}
	r.Source = r
	descriptions := &virtual.Document{Env: env, About: virtual.About{Time: since}, Load: o.Documents.SettingDescriptions,
		Known: func() (int, bool) {
			data, ok := o.Documents.Known(document.DocSettingDescriptions, 0, "")
			return len(data), ok
		}}
	papersRoot, papersNumber := tree.Root()
	r.children = []rootChild{
		{"README.txt", virtual.Text(env, since, readme(o)), syscall.S_IFREG, 0},
		{"setting-descriptions.xml", descriptions, syscall.S_IFREG, 0},
		{"papers", papersRoot, syscall.S_IFDIR, papersNumber},
		{"media", media, syscall.S_IFDIR, inode.Media(1)},
		{"by-id", tree.ByID(), syscall.S_IFDIR, 0},
		{"by-url", tree.ByURL(), syscall.S_IFDIR, 0},
		{"jobs", tree.Jobs(), syscall.S_IFDIR, 0},
	}
	if o.Control != nil {
		hooks := Hooks{Env: env, Stat: r.stat, Refresh: func(ctx context.Context, path string) error { return o.refresh(ctx, r, tree, path) }, Since: since, LocalPapers: tree.LocalNames, PathOf: tree.PathOf}
		r.children = append(r.children, rootChild{".paperfs", o.Control(hooks), syscall.S_IFDIR, 0})
	}
	return r
}

// OnAdd makes the children, which the kernel can never make us forget.
func (r *root) OnAdd(ctx context.Context) {
	for _, c := range r.children {
		if c.number == 0 {
			c.number = r.Numbers.Number(inode.Root, c.name)
		}
		r.AddChild(c.name, r.NewPersistentInode(ctx, c.node, gofs.StableAttr{Mode: c.mode, Ino: c.number}), false)
	}
}

func (r *root) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	child := r.GetChild(name)
	if child == nil {
		return nil, syscall.ENOENT
	}
	var attr fuse.AttrOut
	if errno := child.Operations().(gofs.NodeGetattrer).Getattr(ctx, nil, &attr); errno != 0 {
		return nil, errno
	}
	out.Attr = attr.Attr
	out.SetAttrTimeout(attr.Timeout())
	out.SetEntryTimeout(time.Hour)
	return child, 0
}

// List implements virtual.Source.
func (r *root) List(context.Context) ([]virtual.Entry, error) {
	entries := make([]virtual.Entry, len(r.children))
	for i, c := range r.children {
		entries[i] = virtual.Entry{Name: c.name, Mode: c.mode, Ino: r.GetChild(c.name).StableAttr().Ino}
	}
	return entries, nil
}

// Find implements virtual.Source; Lookup finds the children.
func (r *root) Find(context.Context, string) (virtual.Node, error) { return nil, nil }
