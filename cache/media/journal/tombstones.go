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

// Tombstones is a log of the inodes that were removed here and whose rows are not
// written yet. Rows wait for others; a line here takes a tenth of the time, so
// that no removal waits and none is undone by a kill. Nothing of it is synced:
// after the machine's end the rows alone tell what there is.
type Tombstones struct {
	Path string

	mu   lock.Mutex[lock.Tombstones]
	f    *os.File // guarded by mu; nil until the first
	size int64    // guarded by mu
	last uint64   // guarded by mu: number of the newest change that is noted
}

// lineSize is the size of what is noted of a removal: its inode's number.
const lineSize = 8

// Add notes that an inode was removed, as the change of a number.
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

// Written empties the log once the rows of all that is in it are written: all
// changes up to a number are.
func (r *Tombstones) Written(upto uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size == 0 || r.last > upto {
		return
	}
	if err := os.Truncate(r.Path, 0); err == nil { // else it stays: no number is given twice
		r.size = 0
	}
}

// Replay returns what an earlier run has noted.
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

// Until has what an earlier run has noted go once the change of a number is written.
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
