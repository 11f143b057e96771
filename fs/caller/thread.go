package caller

import (
	"context"
	"strconv"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// Thread is the kernel's number of the calling thread, 0 where it is not known.
func Thread(ctx context.Context) uint32 {
	if c, ok := fuse.FromContext(ctx); ok {
		return c.Pid
	}
	return 0
}

// Process is the process that thread tid belongs to, 0 where it is not known.
func Process(tid uint32) uint32 {
	// The first thread of a process is numbered as that, and to ask whether it
	// is that one costs far less than to read its status.
	if err := unix.Tgkill(int(tid), int(tid), 0); err == nil || err == unix.EPERM {
		return tid
	}
	text, _ := statusField(tid, "Tgid")
	group, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(group)
}
