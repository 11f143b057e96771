package journal

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/inode"
)

// tombstones is a log of inodes that were removed locally and whose rows are not written yet.
// Writing a row waits for other rows; a log entry takes a tenth of the time, so removals need
// not wait, and a kill does not undo them. The log is never synced: after a power loss only the
// rows count.
type tombstones struct {
	path string
	f    *os.File // nil before the first entry
	size int64
	last uint64 // number of the newest logged change
}

// lineSize is the size of a log entry, an inode number, in bytes.
const lineSize = 8

// NoteRemoved logs that a change removed an inode.
func (t *Table) NoteRemoved(ino inode.Ino, change uint64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.tombstones.add(ino, change)
	if errors.Is(err, syscall.ENOSPC) && t.ballast.drop() {
		err = t.tombstones.add(ino, change)
	}
	return err
}

// Removed returns the inodes that an earlier run logged. Their entries stay until the changes
// are written that were made before KeepRemoved.
func (t *Table) Removed() ([]inode.Ino, error) { return t.tombstones.replay() }

// KeepRemoved lets the entries of an earlier run be removed once a change is written.
func (t *Table) KeepRemoved(change uint64) { t.tombstones.last = change }

// DropRemoved removes the log of an earlier run.
func (t *Table) DropRemoved() error {
	if err := os.Remove(t.tombstones.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (r *tombstones) add(ino inode.Ino, change uint64) (err error) {
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

// written empties the log once all its rows are written; changes up to upto are.
func (r *tombstones) written(upto uint64) {
	if r.size == 0 || r.last > upto {
		return
	}
	if err := os.Truncate(r.path, 0); err == nil { // keeping it is harmless, since numbers are not reused
		r.size = 0
	}
}

func (r *tombstones) replay() (inodes []inode.Ino, err error) {
	content, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r.size = int64(len(content) / lineSize * lineSize)
	for line := range slices.Chunk(content[:r.size], lineSize) {
		inodes = append(inodes, inode.Ino(binary.LittleEndian.Uint64(line)))
	}
	return inodes, err
}

func (r *tombstones) close() {
	if r.f != nil {
		_ = r.f.Close() // nothing is buffered
		r.f = nil
	}
}
