package papers

import (
	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/inode"
	"paperfs/remote"
)

// Root is the node of papers/, the mounted root category, and its number.
func (t *Tree) Root() (gofs.InodeEmbedder, uint64) {
	t.root = &category{place{Tree: t}}
	return t.root, inode.Node(remote.CategoryNode, t.Catalogue.RootID())
}
