package main

import (
	"io"
	"os"
)

// warmTimes is how often a piece of work's bytes lie in memory: as the source,
// in the mount, at the server, and under way.
const warmTimes = 4

// warm touches as much memory as a piece of work takes, and lets go of it. On a
// virtual machine memory that was never touched costs more than the work. Where there
// is no /dev/shm, or no room in it, the work begins as it is.
func warm(bytes int64) error {
	f, err := os.CreateTemp("/dev/shm", "paperfs-bench-")
	if err != nil {
		return nil
	}
	_ = os.Remove(f.Name())
	_, _ = io.CopyN(f, zeros{}, warmTimes*bytes)
	return f.Close()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
