package caller

import (
	"errors"
	"strconv"

	"golang.org/x/sys/unix"
)

// read returns the beginning of a thread's file in /proc, up to the length of into. Each
// close calls it, so it avoids package os, which would first try to poll such a file.
func read(tid uint32, file string, into []byte) ([]byte, error) {
	fd, err := uninterrupted(func() (int, error) {
		return unix.Open("/proc/"+strconv.FormatUint(uint64(tid), 10)+"/"+file, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	n, err := uninterrupted(func() (int, error) { return unix.Read(fd, into) })
	if err != nil {
		return nil, err
	}
	return into[:n], nil
}

func uninterrupted(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}
