package caller

import (
	"context"
	"strconv"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// Thread returns the kernel's number of the calling thread, or 0 if it is not known.
func Thread(ctx context.Context) uint32 {
	if c, ok := fuse.FromContext(ctx); ok {
		return c.Pid
	}
	return 0
}

// Process returns the process of thread tid, or 0 if it is not known.
func Process(tid uint32) uint32 {
	// The first thread of a process has the number of the process. Testing for that costs
	// far less than reading the thread's status.
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
