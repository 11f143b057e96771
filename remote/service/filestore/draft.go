package filestore

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"paperfs/remote/service/store"
)

// writeSize is how many bytes go to the disk at once, each time after a look
// at the free space.
const writeSize = 128 << 10

type draft struct {
	store  *Store
	key    string
	file   *os.File // nil after Commit and Discard
	buffer *bufio.Writer
}

func (d *draft) Write(p []byte) (int, error) { return d.buffer.Write(p) }

func (d *draft) Restart() error {
	d.buffer.Reset(reserveWriter{d.file, d.store.Reserve})
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return d.file.Truncate(0)
}

// Commit syncs the bytes first and the name after, so that a name that
// survives a crash always has all its bytes behind it.
func (d *draft) Commit() (string, error) {
	err := d.buffer.Flush()
	if err == nil && !d.store.together {
		err = spaceError(d.file.Sync())
	}
	if err == nil {
		err = d.place()
	}
	if err != nil {
		d.Discard()
		return "", err
	}
	err = d.file.Close()
	d.file = nil
	return d.key, err
}

func (d *draft) place() error {
	path, err := d.store.path(d.key)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	err = os.Rename(d.file.Name(), path)
	if errors.Is(err, os.ErrNotExist) { // the first content of this directory
		if err := d.store.makeDir(dir); err != nil {
			return err
		}
		err = os.Rename(d.file.Name(), path)
	}
	if err != nil {
		return spaceError(err)
	}
	return d.store.syncDir(dir)
}

func (s *Store) makeDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return spaceError(err)
	}
	return s.syncDir(s.dir)
}

func (d *draft) Discard() {
	if d.file == nil {
		return
	}
	// A name that cannot be removed now goes with the next Sweep.
	_ = os.Remove(d.file.Name())
	_ = d.file.Close()
	d.file = nil
}

// reserveWriter refuses what would take the file system's free space below
// the reserve.
type reserveWriter struct {
	file    *os.File
	reserve int64
}

func (w reserveWriter) Write(p []byte) (int, error) {
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(w.file.Fd()), &disk); err != nil {
		return 0, err
	}
	if free := int64(disk.Bavail) * disk.Bsize; free-int64(len(p)) < w.reserve {
		return 0, fmt.Errorf("%w: %d bytes free, %d are kept in reserve", store.ErrNoSpace, free, w.reserve)
	}
	n, err := w.file.Write(p)
	return n, spaceError(err)
}
