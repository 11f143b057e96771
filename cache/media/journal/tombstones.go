package journal

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"slices"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/lock"
)

// Tombstones is a log of inodes that were removed locally and whose rows are not written yet.
// Writing a row waits for other rows; a log entry takes a tenth of the time, so removals need
// not wait, and a kill does not undo them. The log is never synced: after a power loss only the
// rows count.
type Tombstones struct {
	Path string

	mu   lock.Mutex[lock.Tombstones]
	f    *os.File // guarded by mu; nil before the first entry
	size int64    // guarded by mu
	last uint64   // guarded by mu: number of the newest logged change
}

// lineSize is the size of a log entry, an inode number, in bytes.
const lineSize = 8

// Add logs that a change removed an inode.
func (r *Tombstones) Add(ino inode.Ino, change uint64) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.f == nil {
		if r.f, err = os.OpenFile(r.Path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
			return err
		}
	}
	if _, err := r.f.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(ino)), r.size); err != nil {
		return err
	}
	crash.At("removal noted")
	r.size += lineSize
	r.last = max(r.last, change)
	return nil
}

// Written empties the log once all its rows are written; changes up to upto are.
func (r *Tombstones) Written(upto uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size == 0 || r.last > upto {
		return
	}
	if err := os.Truncate(r.Path, 0); err == nil { // keeping it is harmless, since numbers are not reused
		r.size = 0
	}
}

// Replay returns the inodes that an earlier run logged.
func (r *Tombstones) Replay() (inodes []inode.Ino, err error) {
	content, err := os.ReadFile(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r.size = int64(len(content) / lineSize * lineSize)
	for line := range slices.Chunk(content[:r.size], lineSize) {
		inodes = append(inodes, inode.Ino(binary.LittleEndian.Uint64(line)))
	}
	return inodes, err
}

// Until lets the entries of an earlier run be removed once a change is written.
func (r *Tombstones) Until(change uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = change
}

func (r *Tombstones) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.f != nil {
		_ = r.f.Close() // nothing is buffered
		r.f = nil
	}
}
