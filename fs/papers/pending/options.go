package pending

import (
	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/papers/names"
)

// Tree is the part of the tree of papers that a Set calls. It must not take a lock of a
// Set.
type Tree interface {
	// PaperBeside returns the paper that a PDF of this name is beside now, 0 if there is
	// none.
	PaperBeside(names.Entry) int64
	// Knows reports whether the tree has a paper. An outdated tree may lack a new one.
	Knows(paper int64) bool
	// Unhide shows both names of a paper's PDF again, which programs may have removed.
	Unhide(paper int64)
}

// Options of a Set. Without Media nothing can be written.
type Options struct {
	Documents *document.Cache
	Media     *media.Store // keeps what is pending
	Judge     *flush.Judge // decides which close sends
	Tell      *errno.Teller
	Tree      Tree
}
