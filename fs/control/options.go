package control

import (
	"context"
	"path"
	"strings"
	"syscall"
	"time"

	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/virtual"
)

// Options of NewRoot. All are needed.
type Options struct {
	Env        *virtual.Env
	Since      func() time.Time // the times of the nodes
	Mountpoint string           // absolute; paths below it are accepted as well
	Status     func() Status
	Failures   *failure.Log
	// Stat says what the node at a path is, as something that encoding/json
	// can write.
	Stat func(ctx context.Context, path string) (any, error)
	// Refresh forgets what is cached of the node at a path, of everything for "".
	Refresh func(ctx context.Context, path string) error
	Media   Media
	// LocalPapers lists what stays on this machine in papers/, by path from the mount's root.
	LocalPapers func() []media.LocalName
}

// path is what a user wrote as a clean path from the mount's root, without a
// slash at either end.
func (o *Options) path(written string) (string, error) {
	if strings.ContainsRune(written, 0) { // a line end may be part of a name
		return "", errno.Refuse(syscall.EINVAL, "write one path")
	}
	if inside, ok := strings.CutPrefix(written, o.Mountpoint); ok && (inside == "" || inside[0] == '/') {
		written = inside
	}
	return strings.Trim(path.Clean("/"+written), "/"), nil
}
