package fs

import (
	"context"
	"log/slog"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/fs/attr"
	"paperfs/fs/describe"
	"paperfs/fs/errno"
	"paperfs/fs/virtual"
)

// Options of Mount. Mountpoint, Catalogue, Documents, Media and Failures are needed.
type Options struct {
	Mountpoint string
	Source     string // what df and mount show as the device: the service's address
	Catalogue  *catalogue.Catalogue
	Documents  *document.Cache
	Media      *media.Store
	Failures   *failure.Log
	// Since is the time of nodes that stand for nothing of the service.
	Since time.Time
	Owner attr.Owner

	AllowDelete bool // rmdir and rm delete at the service
	ReadOnly    bool
	AllowOther  bool
	Xattrs      bool     // answer user.paperfs.* extended attributes
	Kernel      []string // of any mount: noexec, say
	Direct      bool     // mount(2) by ourselves, without fusermount3; needs root

	// Mounted is called when the mount is there and before its first request is
	// answered, so it must not touch it. May be nil.
	Mounted func()
	// Control makes .paperfs from what the mount knows. Nil leaves it out.
	Control func(Hooks) gofs.InodeEmbedder
	Log     *slog.Logger
}

// Hooks are what .paperfs/ can ask of the mount it is in.
type Hooks struct {
	Env *virtual.Env
	// Stat describes the node at a path that the kernel has looked up; ENOENT
	// otherwise.
	Stat func(path string) (describe.Description, error)
	// Refresh reads the tree again and forgets what is cached of a path, "" for
	// everything.
	Refresh func(ctx context.Context, path string) error
	Since   func() time.Time
	// LocalPapers lists what stays on this machine in papers/, by path from the mount's root.
	LocalPapers func() []media.LocalName
	// PathOf is the path of a category or paper, by its id, from the mount's root.
	PathOf func(id int64) string
}

// teller makes the mount's Teller. A node that is gone means that the
// catalogue is out of date.
func (o Options) teller() *errno.Teller {
	return &errno.Teller{Log: o.Failures, Gone: o.Catalogue.Suspect}
}
