package papers

import (
	"cmp"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
)

// inPaper is the name of a PDF in a paper's directory: source.pdf, or another under which
// a program put it there.
type inPaper struct {
	tree *Tree
	id   int64       // the paper's
	name string      // "" for source.pdf
	in   *gofs.Inode // the paper's directory, set if the file is just being created and its node has no path yet
}

func (n inPaper) paper() int64       { return n.id }
func (n inPaper) entry() names.Entry { return names.Entry{} }
func (n inPaper) other() string      { return n.name }

func (n inPaper) place(node *gofs.Inode) *pending.Place {
	if n.in == nil {
		return n.tree.sourcePlace(n.id, virtual.Path(node), virtual.Path(node))
	}
	to := n.tree.sourcePlace(n.id, virtual.Path(n.in, cmp.Or(n.name, names.Source)), virtual.Path(n.in, names.Source))
	to.Other = n.name
	return to
}
