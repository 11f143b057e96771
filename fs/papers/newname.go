package papers

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"paperfs/cache/catalogue"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// checkNew parses a new name and checks it against a tree, before any request.
func (c *category) checkNew(ctx context.Context, s *catalogue.Snapshot, name string) (remote.NodeKind, string, error) {
	kind, text, err := names.Parse(name)
	switch {
	case errors.Is(err, names.ErrHidden):
		return 0, "", errno.Refuse(syscall.EPERM, err.Error())
	case errors.Is(err, names.ErrLongHere):
		return 0, "", errno.Refuse(syscall.ENAMETOOLONG, err.Error())
	case err != nil:
		return 0, "", errno.Refuse(syscall.EINVAL, err.Error())
	}
	if _, taken := names.Find(s, c.nodeID(), name); taken {
		return 0, "", errno.Refuse(syscall.EEXIST, "the name is taken")
	}
	if c.staysLocal(ctx, name) {
		return 0, "", errno.Refuse(syscall.EPERM, names.ErrLocal.Error())
	}
	if !names.Available(s, c.nodeID(), name) {
		return 0, "", errno.Refuse(syscall.EINVAL, fmt.Sprintf("there are already nodes called %q: %v", text, names.ErrOther))
	}
	return kind, text, nil
}
