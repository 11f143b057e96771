package ratelimit

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"time"
)

// slots is how many begins a record keeps, the newest ones.
const slots = 4096

// record keeps the times at which calls began in a file, so that the limit also holds for a process
// that follows another one within a Window, even after a kill. The file is a ring of times in
// nanoseconds. One write writes each time, so that a kill tears none. The file is not synced: a
// restart of the machine takes longer than a Window.
type record struct {
	file *os.File
	next int64 // the slot of the next begin
}

// openRecord opens a record, or creates it, and returns the begins in the Window before now, oldest
// first. It ignores times after now: the clock was set back since. The returned times have the
// monotonic clock reading of now, if now has one.
func openRecord(path string, now time.Time) (*record, []time.Time, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("the record of requests cannot be opened: %w", err)
	}
	ring := make([]byte, slots*8)
	n, _ := f.ReadAt(ring, 0) // a short file has no other begins
	r, newest := &record{file: f}, int64(0)
	var starts []time.Time
	for i := range int64(n / 8) {
		at := int64(binary.LittleEndian.Uint64(ring[i*8:]))
		began := time.Unix(0, at)
		if began.After(now) {
			continue
		}
		if now.Before(began.Add(Window)) {
			starts = append(starts, now.Add(began.Sub(now)))
		}
		if at > newest {
			newest, r.next = at, (i+1)%slots
		}
	}
	slices.SortFunc(starts, time.Time.Compare)
	return r, starts, nil
}

// add records a begin. If the write fails, the next process does not know of it.
func (r *record) add(at time.Time) {
	if r == nil {
		return
	}
	_, _ = r.file.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(at.UnixNano())), r.next*8)
	r.next = (r.next + 1) % slots
}

// close is called once.
func (r *record) close() error {
	if r == nil {
		return nil
	}
	return r.file.Close()
}
