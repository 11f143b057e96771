package media

import (
	"paperfs/cache/media/inode"
	"paperfs/cache/media/tree"
	"paperfs/remote"
)

// reconciliation compares a GetTree answer with the tree here and makes the
// tree here agree, except where one of our own changes is newer than the
// answer. Store.mu is held all the while.
type reconciliation struct {
	*Store
	began   uint64 // number of our last change when the tree was asked for
	now     inode.Instant
	answer  remote.MediaTree
	moved   []moved // what lost its name, and has one again unless that cannot be shown
	changes map[*tree.Node]*Changed
	hidden  map[int64]bool // directories of the answer that are never shown, by their ids
	partly  bool           // what is here kept some of the answer from being taken over
}

func (r *reconciliation) change(dir *tree.Node) *Changed {
	c := r.changes[dir]
	if c == nil {
		c = new(Changed)
		r.changes[dir] = c
	}
	return c
}

// entry notes that a name of dir now stands for something else.
func (r *reconciliation) entry(dir *tree.Node, name string) {
	c := r.change(dir)
	c.Entries = append(c.Entries, name)
}

// content notes that a file has other content or attributes now.
func (r *reconciliation) content(n *tree.Node) {
	c := r.change(n.Parent)
	c.Contents = append(c.Contents, n.Name)
}

// moved is what the service has moved, and from where.
type moved struct {
	*tree.Node
	from tree.Link
}
