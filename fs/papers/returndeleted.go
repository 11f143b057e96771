package papers

import (
	"context"
	"fmt"
	"syscall"

	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// ReturnDeleted brings back a paper or category that was deleted, under a name in this one, or the earlier PDF of the
// paper beside which the name is. Other content is copied (EXDEV).
func (c *category) ReturnDeleted(ctx context.Context, e remote.Entry, name string, noReplace bool, restore func(parent int64, name string) error) error {
	s, err := c.Snapshot(ctx)
	if err != nil {
		return err
	}
	kinds := map[string]remote.NodeKind{"paper": remote.PaperNode, "category": remote.CategoryNode}
	kind, is := kinds[e.Kind]
	switch {
	case e.Kind == "directory":
		return errno.Refuse(syscall.EINVAL, "a directory comes back in media/")
	case e.Kind == "pdf" && c.beside(s, name).paperIn(s) == e.ID:
		return onto(noReplace, restore)
	case !is:
		return syscall.EXDEV
	}
	text, err := c.checkRenamed(ctx, s, remote.Node{Kind: kind}, name)
	if err == nil {
		err = restore(c.nodeID(), text)
	}
	if err == nil {
		_ = c.Catalogue.Refresh(ctx) // without an answer, it shows later
		c.Documents.Drop(e.ID)
	}
	return err
}

// ReturnDeleted has the service process an earlier PDF of this paper again.
func (p *paperDir) ReturnDeleted(_ context.Context, e remote.Entry, name string, noReplace bool, restore func(parent int64, name string) error) error {
	switch {
	case e.Kind != "pdf" && e.Kind != "file":
		return errno.Refuse(syscall.EINVAL, fmt.Sprintf("a %s does not come back in a paper", e.Kind))
	case e.Kind == "pdf" && e.ID == p.node && name == names.Source:
		return onto(noReplace, restore)
	}
	return syscall.EXDEV
}

// onto restores an earlier PDF of a paper.
func onto(noReplace bool, restore func(parent int64, name string) error) error {
	if noReplace {
		return syscall.EEXIST
	}
	return restore(0, "")
}
