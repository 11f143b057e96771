package main

import (
	"io"
	"os"
)

// warmTimes is how many copies of the work's bytes are in memory: in the source, the mount, the
// server, and in transit.
const warmTimes = 4

// warm touches as much memory as a piece of work needs, and frees it. On a virtual machine,
// touching memory for the first time costs more than the work. Without /dev/shm, or without
// space in it, warm does nothing.
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
