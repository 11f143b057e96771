package mountpoint

import (
	"math"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// NewServer mounts a file system at dir. A child that inherits /dev/fuse could answer for the mount, and would keep the
// mount alive after its end. When this process mounts directly (see CheckFUSE), go-fuse opens /dev/fuse without
// O_CLOEXEC. So NewServer keeps children from starting until it has set the flag.
func NewServer(raw fuse.RawFileSystem, dir string, options *fuse.MountOptions) (*fuse.Server, error) {
	if !options.DirectMountStrict {
		return fuse.NewServer(raw, dir, options)
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	server, err := fuse.NewServer(raw, dir, options)
	_ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) // fails before Linux 5.11
	return server, err
}

// Serve answers the requests of a server, and returns when its mount can be used. Until then go-fuse has a file of the mount
// open, without O_CLOEXEC, too. A child could close it before its exec, while all of this process stands still, and would wait
// for this process to answer.
func Serve(server *fuse.Server) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	go server.Serve()
	return server.WaitMount()
}
