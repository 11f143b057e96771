package s3store

import (
	"fmt"
	"sync"

	"golang.org/x/sys/unix"
)

// partMemory is the memory of parts. It is no part of the heap: that would grow to twice
// as much before anything is collected, and keep it for minutes after.
type partMemory struct {
	mu   sync.Mutex
	free [][]byte // mapped, with nothing in it
}

// take returns an empty part, of which only what is written to takes memory.
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

// give returns the memory of a part to the system; nil is none. Nobody reads it any more: a body
// ends with its request. The part stays mapped for the next draft, so a slice that is kept by
// mistake does not end the process. The most parts in use at once is how many stay mapped.
func (m *partMemory) give(part []byte) {
	if part == nil {
		return
	}
	_ = unix.Madvise(part[:partSize], unix.MADV_DONTNEED)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free = append(m.free, part[:0])
}
