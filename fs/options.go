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
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// Options configures Mount. Mountpoint, Catalogue, Documents, Media, Offers and Failures are required.
type Options struct {
	Mountpoint string
	Source     string // what df and mount show as the device: the service's address
	Catalogue  *catalogue.Catalogue
	Documents  *document.Cache
	Media      *media.Store
	Failures   *failure.Log
	// Since is the time of nodes that have no counterpart on the service.
	Since time.Time
	Owner inode.Owner
	Zone  *time.Location // that bare dates are days of; nil: time.Local

	// Offers returns what the service offers; known is false before its first answer.
	Offers func() (_ remote.Offers, known bool)

	WriteBack   bool // closes queue
	AllowDelete bool // rmdir and rm delete on the service
	ReadOnly    bool
	AllowOther  bool
	Xattrs      bool     // answer user.paperfs.* extended attributes
	Kernel      []string // mount options such as noexec
	Direct      bool     // call mount(2) directly, without fusermount3; needs root

	// Mounted is called when the mount exists but has not answered a request, so it must
	// not touch the mount. May be nil.
	Mounted func()
	// Control creates .paperfs. If it is nil, the mount has no .paperfs.
	Control func(Hooks) gofs.InodeEmbedder
	Log     *slog.Logger
}

// Hooks is what .paperfs/ can ask of its mount.
type Hooks struct {
	Env *virtual.Env
	// Stat describes the node at a path that the kernel has looked up. For any other
	// path it returns ENOENT.
	Stat func(path string) (inode.Description, error)
	// Refresh fetches the tree again and drops what is cached of a path, or of
	// everything if path is "".
	Refresh func(ctx context.Context, path string) error
	Since   func() time.Time
	// JobEnded reports how a job ended, of which no program has asked.
	JobEnded func(paper int64, job document.Job)
	// PathOf returns the path of a category or paper from the mount's root.
	PathOf func(id int64) string
	// NodeAt returns the category or paper at a path below papers/, and the names on the path that are not there;
	// gone: the last one is not, either.
	NodeAt func(ctx context.Context, path string, gone bool) (node int64, rest []string, err error)
}

// teller returns the mount's Teller. A node that the service no longer has means that
// the catalogue is out of date.
func (o Options) teller() *errno.Teller {
	return &errno.Teller{Log: o.Failures, Gone: o.Catalogue.Suspect}
}
