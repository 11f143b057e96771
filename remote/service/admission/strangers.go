package admission

import (
	"fmt"
	"net/http"
	"sync"

	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
)

const (
	// ParameterMemory is how many bytes of a request's parameters are kept while their
	// sender is a stranger. Content up to store.SmallContent is kept in memory as well,
	// larger content on the disk.
	ParameterMemory = 64 << 10
	// FreeMemory is how many bytes of parameters are kept in memory for any stranger.
	FreeMemory = 4 << 10
	// StrangerMemory is how many bytes beyond that are in memory for all strangers together at most.
	StrangerMemory = 64 << 20
	// StrangerDisk is how many bytes of content all strangers have on the disk at most.
	StrangerDisk = 1 << 30
)

// Strangers counts the content of strangers on the disk: one upload per address, and
// Most bytes in all; and what is in memory for them.
type Strangers struct {
	Most, MostMemory int64 // bytes; set before the first upload

	mu        sync.Mutex      // guards all below
	bytes     int64           // on the disk
	memory    int64           // bytes that Shares hold
	addresses map[string]bool // with an upload
}

// Share is what one stranger has in memory beyond FreeMemory; the zero value holds nothing.
type Share struct {
	of    *Strangers
	bytes int64
}

// Hold adds to the share, or refuses the request if all strangers together hold too much.
func (h *Share) Hold(of *Strangers, bytes int64) error {
	of.mu.Lock()
	defer of.mu.Unlock()
	if of.memory+bytes > of.MostMemory {
		return TooEarly("The service is receiving too much from senders without credentials. Send the credentials first.")
	}
	of.memory += bytes
	h.of, h.bytes = of, h.bytes+bytes
	return nil
}

// Release gives the share back; it may be called again.
func (h *Share) Release() {
	if h.of == nil {
		return
	}
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	h.of.memory -= h.bytes
	h.of, h.bytes = nil, 0
}

// Count returns how many uploads of strangers are on the disk, and their bytes.
func (s *Strangers) Count() (uploads int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.addresses), s.bytes
}

// Slot is the share of one upload in Strangers; the zero value holds none.
type Slot struct {
	of      *Strangers
	address string
	bytes   int64
}

// Hold sets the share to size bytes, or refuses the upload if there is no room.
func (u *Slot) Hold(of *Strangers, r *http.Request, size int64) error {
	of.mu.Lock()
	defer of.mu.Unlock()
	if u.of == nil {
		address := address.Network(r)
		if of.addresses[address] {
			return TooEarly("Another upload from your address has not sent its credentials yet. Send the credentials before the content.")
		}
		if of.addresses == nil {
			of.addresses = map[string]bool{}
		}
		of.addresses[address] = true
		u.of, u.address = of, address
	}
	more := size - u.bytes
	if of.bytes+more > of.Most {
		return TooEarly("The service is receiving too much content without credentials. Send the credentials before the content.")
	}
	of.bytes += more
	u.bytes = size
	return nil
}

// Shrink frees the bytes of the share. Its address still has an upload.
func (u *Slot) Shrink() {
	if u.of == nil {
		return
	}
	u.of.mu.Lock()
	defer u.of.mu.Unlock()
	u.of.bytes -= u.bytes
	u.bytes = 0
}

// Release returns the share; it may be called again.
func (u *Slot) Release() {
	if u.of == nil {
		return
	}
	u.Shrink()
	u.of.mu.Lock()
	defer u.of.mu.Unlock()
	delete(u.of.addresses, u.address)
	u.of = nil
}

// TooEarly refuses what arrived before the credentials.
func TooEarly(format string, args ...any) error {
	return &answer.Failure{Status: http.StatusRequestEntityTooLarge, Line: fmt.Sprintf(format, args...)}
}
