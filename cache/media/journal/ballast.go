package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"paperfs/cache/media/lock"
)

// Ballast is a file that does nothing but take room. Where the disk of the state is
// full, the writer of the table gives its room to the rows that wait, and a change that
// would need more is refused until the file is there again: before it has an effect, so
// that who is told of no space finds nothing changed.
type Ballast struct {
	Path string

	mu   lock.Mutex[lock.Ballast]
	size int64 // guarded by mu: bytes of the file, 0 for none
}

const (
	BallastSize = 1 << 20
	// RoomToMake and roomToRemove are how much of it a change has to find: a removal
	// goes on where nothing is made any more.
	RoomToMake   = BallastSize / 4
	RoomToRemove = BallastSize / 32
)

// Ready sees to it that the file has at least so many bytes, as many as it can.
func (b *Ballast) Ready(least int64) (err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for size := int64(BallastSize); b.size < least && size >= least; size /= 2 {
		if err = allocate(b.Path, size); err == nil {
			b.size = size
		}
	}
	if b.size >= least {
		return nil
	}
	return err
}

// Drop gives its room to others, and reports whether there was any.
func (b *Ballast) Drop() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	had := b.size > 0 && os.Remove(b.Path) == nil
	b.size = 0
	return had
}

// allocate makes an empty file that takes so many bytes of the disk, or none. A file system
// that cannot tell beforehand is taken to have the room.
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
