package control

import (
	"context"
	"path"
	"strings"
	"syscall"
	"time"

	"paperfs/cache/failure"
	"paperfs/fs/errno"
	"paperfs/fs/virtual"
)

// Options configures NewRoot. All fields are required.
type Options struct {
	Env        *virtual.Env
	Since      func() time.Time // the times of the nodes
	Mountpoint string           // absolute; paths below it are accepted as well
	Status     func() Status
	Failures   *failure.Log
	// Events returns the changes that the mount was told of after so many; of -1, none.
	Events func(after int) Events
	// Stat describes the node at a path as a value for encoding/json.
	Stat func(ctx context.Context, path string) (any, error)
	// Refresh drops what is cached of the node at a path, or of everything for "".
	Refresh func(ctx context.Context, path string) error
	// SignIn makes an address that signs a browser in to the publisher's page of the service.
	SignIn func(ctx context.Context) (address string, err error)
	Media  MediaStore
	// NodeAt returns the category or paper at a path below papers/, and the names on the path that are not there;
	// gone: the last one is not, either.
	NodeAt func(ctx context.Context, path string, gone bool) (node int64, rest []string, err error)
	// Restored notes that a paper is back or, with a job, that an earlier PDF of it is processed again.
	Restored func(ctx context.Context, paper int64, job string) error
	// Keeper keeps what is deleted or replaced.
	Keeper Keeper
	// ReadOnly lets undo only list and read what is kept.
	ReadOnly bool
	// AllowDelete lets undo remove for good what is kept.
	AllowDelete bool
}

// path cleans a path that a user wrote. The result starts at the mount's root, without a
// slash at either end.
func (o *Options) path(written string) (string, error) {
	if strings.ContainsRune(written, 0) { // a name may contain a newline
		return "", errno.Refuse(syscall.EINVAL, "write one path")
	}
	if inside, ok := strings.CutPrefix(written, o.Mountpoint); ok && (inside == "" || inside[0] == '/') {
		written = inside
	}
	return strings.Trim(path.Clean("/"+written), "/"), nil
}
