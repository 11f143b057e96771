package filestore

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"paperfs/remote/durable"
	"paperfs/remote/service/store"
)

// writeSize is how many bytes are written to the file at once, each time after checking the free
// space.
const writeSize = 128 << 10

// writeBackSize is how many bytes are written before the kernel starts writing them to the disk.
const writeBackSize = 8 << 20

type draft struct {
	incoming // its file is there once the content exceeds store.SmallContent
	// small holds all content before that.
	small  []byte
	buffer *bufio.Writer
}

func (d *draft) Write(p []byte) (int, error) {
	if d.file == nil {
		if len(d.small)+len(p) <= store.SmallContent {
			d.small = append(d.small, p...)
			return len(p), nil
		}
		if err := d.create(); err != nil {
			return 0, err
		}
	}
	return d.buffer.Write(p)
}

// create creates the file and writes the content so far.
func (d *draft) create() error {
	f, err := os.OpenFile(d.name(), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return spaceError(err)
	}
	d.file = f
	d.buffer = bufio.NewWriterSize(&reserveWriter{store: d.store, file: f}, writeSize)
	_, err = d.buffer.Write(d.small)
	d.small = nil
	return err
}

func (d *draft) Small() ([]byte, error) {
	if d.file != nil {
		return nil, nil
	}
	if d.small == nil {
		d.small = []byte{}
	}
	return d.small, d.store.checkSpace(len(d.small))
}

func (d *draft) Restart() error {
	d.small = d.small[:0]
	if d.file == nil {
		return nil
	}
	d.buffer.Reset(&reserveWriter{store: d.store, file: d.file})
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return d.file.Truncate(0)
}

// Commit syncs the bytes before the rename, so that a name that survives a crash always has all
// its bytes.
func (d *draft) Commit() (string, error) {
	var err error
	if d.file == nil {
		err = d.create()
	}
	if err == nil {
		err = d.buffer.Flush()
	}
	if err == nil {
		err = spaceError(d.file.Sync())
	}
	return d.end(err)
}

func (s *Store) makeDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return spaceError(err)
	}
	return durable.SyncDir(s.dir)
}

// reserveWriter rejects writes that would take the file system's free space below the reserve.
type reserveWriter struct {
	store   *Store
	file    *os.File
	written int64 // since the start of the file
}

func (w *reserveWriter) Write(p []byte) (int, error) {
	if err := w.store.checkSpace(len(p)); err != nil {
		return 0, err
	}
	n, err := w.file.Write(p)
	before := w.written
	w.written += int64(n)
	if at := w.written / writeBackSize * writeBackSize; at > before {
		w.writeBack(at - writeBackSize)
	}
	return n, spaceError(err)
}

// writeBack starts writing one piece to the disk, and drops the previous piece from the page
// cache. So Commit has less left to sync, and a large file does not push everything else out of
// memory. Errors show up at Commit.
func (w *reserveWriter) writeBack(at int64) {
	fd := int(w.file.Fd())
	_ = unix.SyncFileRange(fd, at, writeBackSize, unix.SYNC_FILE_RANGE_WRITE)
	if at -= writeBackSize; at >= 0 {
		_ = unix.SyncFileRange(fd, at, writeBackSize, unix.SYNC_FILE_RANGE_WAIT_BEFORE)
		_ = unix.Fadvise(fd, at, writeBackSize, unix.FADV_DONTNEED)
	}
}

// checkSpace fails if writing that many bytes would use up the reserve, and nothing makes room.
func (s *Store) checkSpace(bytes int) error {
	err := s.space(bytes)
	for err != nil && s.MakeRoom != nil && s.MakeRoom() {
		err = s.space(bytes)
	}
	return err
}

func (s *Store) space(bytes int) error {
	if s.NoRoom != nil && s.NoRoom() {
		return fmt.Errorf("%w: %w", store.ErrNoSpace, unix.ENOSPC)
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(s.dir, &disk); err != nil {
		return err
	}
	if free := int64(disk.Bavail) * disk.Bsize; free-int64(bytes) < s.Reserve {
		return fmt.Errorf("%w: %d bytes free, %d are kept in reserve", store.ErrNoSpace, free, s.Reserve)
	}
	return nil
}
