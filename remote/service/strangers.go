package service

import (
	"fmt"
	"net/http"
	"sync"

	"paperfs/remote/service/address"
	"paperfs/remote/service/plain"
)

const (
	// strangerMemory is how many bytes of a request's parameters are kept while
	// their sender is not known. Content up to store.SmallContent is kept in
	// memory as well, larger content on the disk.
	strangerMemory = 64 << 10
	// strangerDisk is how much content of all such requests is on the disk.
	strangerDisk = 1 << 30
)

// strangers counts what is on the disk of those whose credentials have not
// come: one upload of an address, and so many bytes in all.
type strangers struct {
	most int64 // bytes

	mu        sync.Mutex      // guards all below
	bytes     int64           // on the disk
	addresses map[string]bool // with an upload
}

// strangerSlot is the part of one upload in it; the zero value is none.
type strangerSlot struct {
	of      *strangers
	address string
	bytes   int64
}

// hold makes the part size bytes, if there is room for that.
func (u *strangerSlot) hold(of *strangers, r *http.Request, size int64) error {
	of.mu.Lock()
	defer of.mu.Unlock()
	if u.of == nil {
		address := address.Network(r)
		if of.addresses[address] {
			return tooEarly("Another upload from your address has not sent its credentials yet. Send the credentials before the content.")
		}
		if of.addresses == nil {
			of.addresses = map[string]bool{}
		}
		of.addresses[address] = true
		u.of, u.address = of, address
	}
	more := size - u.bytes
	if of.bytes+more > of.most {
		return tooEarly("Too much content is under way whose credentials have not come yet. Send the credentials before the content.")
	}
	of.bytes += more
	u.bytes = size
	return nil
}

// shrink empties the part, which stays taken.
func (u *strangerSlot) shrink() {
	if u.of == nil {
		return
	}
	u.of.mu.Lock()
	defer u.of.mu.Unlock()
	u.of.bytes -= u.bytes
	u.bytes = 0
}

// release returns the part; it may be called again.
func (u *strangerSlot) release() {
	if u.of == nil {
		return
	}
	u.shrink()
	u.of.mu.Lock()
	defer u.of.mu.Unlock()
	delete(u.of.addresses, u.address)
	u.of = nil
}

// tooEarly refuses what came before the credentials.
func tooEarly(format string, args ...any) error {
	return &plain.Failure{Status: http.StatusRequestEntityTooLarge, Line: fmt.Sprintf(format, args...)}
}
