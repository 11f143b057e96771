package filestore

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"paperfs/remote/service/store"
)

// handedOver is a draft that is another name of a file that has the content. What is written to it has
// been read from that file, and is not written once more.
type handedOver struct {
	incoming
	size int64 // of what was written
}

// CreateFrom is Create for content that is all of a file, to which nobody writes any more: neither now nor
// later, since the content and its backups may be the same inode. Where the file cannot be linked, as one on
// another file system, the draft is an ordinary one, and taken is false.
func (s *Store) CreateFrom(ctx context.Context, file *os.File) (_ store.Draft, taken bool, err error) {
	info, err := file.Stat()
	if err != nil || info.Size() <= store.SmallContent {
		return s.copied(ctx)
	}
	if err := s.checkSpace(0); err != nil {
		return nil, false, err
	}
	d := &handedOver{incoming: incoming{store: s, key: uuid.NewString()}}
	if linkFile(file, d.name()) != nil {
		return s.copied(ctx)
	}
	if d.file, err = os.Open(d.name()); err != nil {
		_ = os.Remove(d.name())
		return nil, false, err
	}
	// The disk writes while the caller hashes. Commit reports errors.
	_ = unix.SyncFileRange(int(d.file.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE)
	return d, true, nil
}

func (s *Store) copied(ctx context.Context) (store.Draft, bool, error) {
	d, err := s.Create(ctx)
	return d, false, err
}

// linkFile gives an open file another name. The file's own name may change meanwhile.
func linkFile(file *os.File, name string) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var linked error
	err = conn.Control(func(fd uintptr) {
		opened := "/proc/self/fd/" + strconv.FormatUint(uint64(fd), 10)
		linked = unix.Linkat(unix.AT_FDCWD, opened, unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
	})
	if err != nil {
		return err
	}
	return linked
}

func (d *handedOver) Write(p []byte) (int, error) {
	d.size += int64(len(p))
	return len(p), nil
}

func (d *handedOver) Restart() error {
	d.size = 0
	return nil
}

// Small implements store.Draft: the content is large.
func (d *handedOver) Small() ([]byte, error) { return nil, nil }

// Commit stores what was written if that is all of the file. Sweep decides by the age of content, and the file
// may have waited for days.
func (d *handedOver) Commit() (string, error) {
	info, err := d.file.Stat()
	if err == nil && info.Size() != d.size {
		err = fmt.Errorf("the file that was handed over has %d bytes, and %d were sent", info.Size(), d.size)
	}
	if err == nil {
		now := time.Now()
		err = os.Chtimes(d.name(), now, now)
	}
	if err == nil {
		err = spaceError(d.file.Sync())
	}
	return d.end(err)
}
