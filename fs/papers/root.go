package papers

import (
	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/inode"
	"paperfs/fs/papers/generated"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/remote"
)

// Root returns the node of papers/, which is the mounted root category, and its inode
// number.
func (t *Tree) Root() (gofs.InodeEmbedder, uint64) {
	t.root = &category{place{Tree: t}}
	return t.root, inode.Node(remote.CategoryNode, t.Catalogue.RootID())
}

// NewTree returns a Tree.
func NewTree(o Options) *Tree {
	made := generated.New(generated.Options{Env: o.Env, Catalogue: o.Catalogue, Documents: o.Documents, Started: o.Started})
	t := &Tree{Options: o, Nodes: made, notices: newNotices(), temps: temps{files: map[names.Entry]*temp{}, dirs: map[names.Entry]*tempDir{}}}
	t.pending = pending.NewSet(pending.Options{Documents: o.Documents, Media: o.Media, Judge: o.Judge, Tell: o.Tell, Tree: t})
	if o.Media != nil { // without Media nothing can be written
		o.Documents.OnDamaged(t.keepDamaged)
		t.pending.Requeue(t.queuedPlace)
	}
	return t
}
