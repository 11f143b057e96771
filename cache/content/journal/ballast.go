package journal

import (
	"cmp"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// ballast is a file that only reserves disk space. If the disk with the state is full, the
// table's writer deletes the file so that pending rows can be written. Until the file exists
// again, a change that needs more space is refused before it has any effect, so a caller that
// gets ENOSPC finds nothing changed.
type ballast struct {
	path string
	size int64 // in bytes, 0 if there is no file
}

const (
	BallastSize = 1 << 20
	// RoomToMake and RoomToRemove are how much of the ballast a change requires: removals are
	// still possible when creation is not.
	RoomToMake   = BallastSize / 4
	RoomToRemove = BallastSize / 32
)

// Ready ensures that at least the given number of bytes is reserved, reserves as much as possible, and fails where Able does,
// and after a failed sync: who changes names waits for one.
func (t *Table) Ready(least int64) error {
	if err := t.state.Writable(); err != nil {
		return &Unsaved{ofMedia, err}
	}
	if err := cmp.Or(t.reserve(least), t.sound.Failure()); err != nil {
		return &Unsaved{ofMedia, err}
	}
	return t.Able()
}

func (t *Table) reserve(least int64) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := &t.ballast
	for size := int64(BallastSize); b.size < least && size >= least; size /= 2 {
		if err = allocate(b.path, size); err == nil {
			b.size = size
		}
	}
	return err
}

// drop deletes the file to free its space, and reports whether there was one.
func (b *ballast) drop() bool {
	had := b.size > 0 && os.Remove(b.path) == nil
	b.size = 0
	return had
}

// allocate creates an empty file with size bytes of disk space. A file system that does not
// support this is assumed to have the space.
func allocate(path string, size int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close() // nothing was written
	err = unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return nil
	}
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
