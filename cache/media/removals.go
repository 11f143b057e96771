package media

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"slices"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/lock"
)

// removals is a log of the inodes that were removed here and whose rows are not
// written yet. Rows wait for others; a line here takes a tenth of the time, so
// that no removal waits and none is undone by a kill. Nothing of it is synced:
// after the machine's end the rows alone tell what there is.
type removals struct {
	path string

	mu   lock.Mutex[lock.Removals]
	f    *os.File // guarded by mu; nil until the first
	size int64    // guarded by mu
	last uint64   // guarded by mu: number of the newest change that is noted
}

// lineSize is the size of what is noted of a removal: its inode's number.
const lineSize = 8

// add notes that an inode was removed, as the change of a number.
func (r *removals) add(ino Ino, change uint64) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.f == nil {
		if r.f, err = os.OpenFile(r.path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
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

// written empties the log once the rows of all that is in it are written: all
// changes up to a number are.
func (r *removals) written(upto uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size == 0 || r.last > upto {
		return
	}
	if err := os.Truncate(r.path, 0); err == nil { // else it stays: no number is given twice
		r.size = 0
	}
}

// left returns what an earlier run has noted.
func (r *removals) left() (inodes []Ino, err error) {
	content, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r.size = int64(len(content) / lineSize * lineSize)
	for line := range slices.Chunk(content[:r.size], lineSize) {
		inodes = append(inodes, Ino(binary.LittleEndian.Uint64(line)))
	}
	return inodes, err
}

func (r *removals) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.f != nil {
		_ = r.f.Close() // nothing is buffered
		r.f = nil
	}
}
