package fs

import (
	"fmt"
	"strings"
	"syscall"

	"paperfs/fs/errno"
	"paperfs/fs/inode"
)

// stat describes the node at a path. The caller has just looked the path up through the
// kernel, so its inode exists.
func (r *root) stat(path string) (inode.Description, error) {
	n := &r.Inode
	for part := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if part == "" {
			continue
		}
		if n = n.GetChild(part); n == nil {
			return inode.Description{}, errno.Refuse(syscall.ENOENT, fmt.Sprintf("%q was not looked up", path))
		}
	}
	d, ok := n.Operations().(inode.Describer)
	if !ok {
		return inode.Description{}, errno.Refuse(syscall.EOPNOTSUPP, fmt.Sprintf("nothing is known of %q", path))
	}
	return d.Describe(), nil
}
