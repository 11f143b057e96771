package papers

import (
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/inode"
	"paperfs/fs/papers/generated"
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
	t := &Tree{Options: o, Nodes: made, notices: newNotices(), began: time.Now()}
	if o.Media != nil { // without Media nothing can be written
		o.Documents.OnDamaged(t.keepDamaged, t.Path)
		o.Files.Know(t)
		o.Media.Process(t)
	}
	return t
}
