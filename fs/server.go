package fs

import (
	"cmp"
	"fmt"
	"log/slog"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/fs/flush"
	"paperfs/fs/inode"
	mediafs "paperfs/fs/media"
	"paperfs/fs/mountpoint"
	"paperfs/fs/virtual"
)

// maxWrite is the most bytes of a WRITE request, the kernel's limit. Copying 1 GiB into
// a spool takes 1.5 s with it and 1.9 s with 128 KiB.
const maxWrite = 1 << 20

// Mount mounts the tree and serves it in the background. It returns when the mount
// exists.
func Mount(o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	env := &virtual.Env{Owner: o.Owner, Tell: o.teller(), Numbers: inode.NewVirtual(), Zone: cmp.Or(o.Zone, time.Local)}
	judge := flush.NewJudge(o.Mountpoint)
	root := newRoot(o, env, mediafs.NewRoot(o.Media, env.Tell, o.Owner, judge))
	options := &gofs.Options{
		MountOptions:   mountOptions(o),
		RootStableAttr: &gofs.StableAttr{Ino: inode.Root},
		// Every node sets its mode, and a mode of 0 is valid.
		NullPermissions: true,
	}
	known := func() bool { return o.Catalogue.Peek() != nil && o.Media.Ready() }
	raw := &rawFS{scans{RawFileSystem: inode.Writes{RawFileSystem: inode.NewFS(root, options)}, known: known}, o.Media, root.startNotices}
	server, err := mountpoint.NewServer(raw, o.Mountpoint, &options.MountOptions)
	if err != nil {
		return nil, fmt.Errorf("mount on %s: %w", o.Mountpoint, err)
	}
	if o.Mounted != nil {
		o.Mounted()
	}
	if err := mountpoint.Serve(server); err != nil {
		return nil, fmt.Errorf("mount on %s: %w", o.Mountpoint, err)
	}
	return &Server{server}, nil
}

func mountOptions(o Options) fuse.MountOptions {
	m := fuse.MountOptions{
		AllowOther: o.AllowOther,
		FsName:     o.Source,
		Name:       "paperfs",
		MaxWrite:   maxWrite,
		// No answer is a file. go-fuse 2.12 would make a pipe for each READ all the same, find that out, and log a
		// line for each READ of 1 MiB, which such a pipe cannot have.
		DisableSplice: true,
		// The kernel reads by such requests. With its usual 12, a dozen readers that wait for the service would
		// keep all others from what is here.
		MaxBackground: 128,
		// ls -l asks for extended attributes of each file, so the mount answers them only
		// on request.
		DisableXAttrs:        !o.Xattrs,
		IgnoreSecurityLabels: true,
		Options:              []string{"default_permissions"},
		DirectMountStrict:    o.Direct,
		PanicHandler: func(v any) fuse.Status {
			o.Log.Error("a handler panicked; this is a defect of paperfs", "panic", v)
			return fuse.EIO
		},
	}
	m.Options = append(m.Options, o.Kernel...)
	if o.ReadOnly {
		m.Options = append(m.Options, "ro")
	}
	return m
}

// Server is a mount that is being served.
type Server struct{ server *fuse.Server }

// Wait returns when the mount has been unmounted.
func (s *Server) Wait() { s.server.Wait() }
