package ratelimit

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"time"
)

// slots is how many begins a record keeps: the newest ones.
const slots = 4096

// record keeps in a file when calls began, so that the limit also holds for a process that follows
// another one within a Window, however that ended. It is a ring of times in nanoseconds; each is
// written by one write, which a kill does not tear. It is not synced: a restart of the machine
// takes longer than what it is for.
type record struct {
	file *os.File
	next int64 // the slot of the next begin
}

// openRecord opens a record, made if missing, and reads what began in the Window before now,
// oldest first. A time after now is of a clock that was set back, and tells nothing. What is returned goes
// on from now by a clock that nobody sets, where now has one.
func openRecord(path string, now time.Time) (*record, []time.Time, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("the record of requests cannot be opened: %w", err)
	}
	ring := make([]byte, slots*8)
	n, _ := f.ReadAt(ring, 0) // what is missing began long ago
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

// add writes down a begin. Where the disk refuses it, the next process does not know of it.
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
