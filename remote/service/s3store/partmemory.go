package s3store

import (
	"fmt"
	"sync"

	"golang.org/x/sys/unix"
)

// partMemory is the memory for parts. It is outside the heap, which would grow to twice the size
// before a collection, and stay so for minutes.
type partMemory struct {
	mu   sync.Mutex
	free [][]byte // mapped, without content
}

// take returns an empty part. Only the pages that are written to use memory.
func (m *partMemory) take() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if last := len(m.free) - 1; last >= 0 {
		part := m.free[last]
		m.free = m.free[:last]
		return part, nil
	}
	part, err := unix.Mmap(-1, 0, partSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("memory to collect content: %w", err)
	}
	return part[:0], nil
}

// give returns the memory of a part to the system; part may be nil. No request may still read it:
// a body ends with its request. The part stays mapped for the next draft, so that a slice kept by
// mistake does not crash the process. As many parts stay mapped as were ever in use at once.
func (m *partMemory) give(part []byte) {
	if part == nil {
		return
	}
	_ = unix.Madvise(part[:partSize], unix.MADV_DONTNEED)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free = append(m.free, part[:0])
}
