package s3store

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// newPart takes the memory of a part, of which only what is written to is there. It is no
// part of the heap: that would grow to twice as much before anything is collected, and
// keep it for minutes after.
func newPart() ([]byte, error) {
	part, err := unix.Mmap(-1, 0, partSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("memory to collect content: %w", err)
	}
	return part[:0], nil
}

// freePart gives memory of newPart back. Nobody may have it any more.
func freePart(part []byte) {
	if part != nil {
		_ = unix.Munmap(part[:partSize])
	}
}
