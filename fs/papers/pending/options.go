package pending

import (
	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/papers/names"
)

// Tree is what a Set asks of the tree of papers. It answers without a lock of a Set.
type Tree interface {
	// PaperBeside returns the paper that a PDF of this name is beside now, 0 if there is no such paper.
	PaperBeside(names.Entry) int64
	// Knows reports whether the tree has a paper. If it has not, it may be too old to have it.
	Knows(paper int64) bool
	// Shows has both names of a paper's PDF there again, which programs may have removed.
	Unhide(paper int64)
}

// Options of a Set. Without Media nothing is written.
type Options struct {
	Documents *document.Cache
	Media     *media.Store // keeps what is pending
	Judge     *flush.Judge // decides which close sends
	Tell      *errno.Teller
	Tree      Tree
}
