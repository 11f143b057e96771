package media

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/disk"
	"paperfs/cache/media/refusal"
	"paperfs/remote"
)

// spool is one file of local content. body.mu of the file it belongs to
// guards it.
type spool struct {
	path   string
	serial uint64
	f      *os.File // nil while nobody uses it
	size   int64    // bytes
	frozen int      // uploads that read it and need it unchanged
	free   bool     // it takes no room: nobody but the kernel knows its file

	measure *remote.Measure // of all of it; nil once something was written elsewhere than at its end
}

// spools makes spool files, named INO-SERIAL: of several for one inode the
// greatest serial is the newest content.
type spools struct {
	dir    string
	room   *disk.Room
	sound  *disk.Soundness // of the store's syncs
	serial atomic.Uint64
}

func (s *spools) create(ino Ino) (*spool, error) {
	crash.At("spool to be made")
	serial := s.serial.Add(1)
	path := s.file(ino, serial)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	crash.At("spool made")
	return &spool{path: path, serial: serial, f: f, measure: new(remote.Measure)}, nil
}

func (s *spools) file(ino Ino, serial uint64) string {
	return filepath.Join(s.dir, fmt.Sprintf("%d-%d", ino, serial))
}

// from makes a spool with size bytes of src.
func (s *spools) from(ino Ino, src *os.File, size int64) (*spool, error) {
	if err := s.room.Take(size); err != nil {
		return nil, refusal.WithoutRoom(err)
	}
	sp, err := s.create(ino)
	if err != nil {
		s.room.Give(size)
		return nil, err
	}
	sp.size, sp.measure = size, nil
	if err := sp.copyFrom(src, size); err != nil {
		s.drop(sp)
		return nil, err
	}
	crash.At("spool copied")
	return sp, nil
}

// copyFrom fills sp, which is new. Until that is done it is no spool.
func (sp *spool) copyFrom(src *os.File, size int64) error {
	whole := sp.path
	if err := os.Rename(whole, whole+unfinishedEnd); err != nil {
		return err
	}
	sp.path = whole + unfinishedEnd
	crash.At("spool to be copied")
	if err := copyContent(sp.f, src, size); err != nil {
		return err
	}
	if err := os.Rename(sp.path, whole); err != nil {
		return err
	}
	sp.path = whole
	return nil
}

// unfinishedEnd marks copies that are being made: the next run drops them, and
// goes on with what they were made of.
const unfinishedEnd = ".unfinished"

// copyContent copies size bytes of src to dst, which is empty; the file system
// shares them where it can. Neither's position matters, or changes.
func copyContent(dst, src *os.File, size int64) error {
	for done := int64(0); done < size; {
		end := min(size, done+copyPiece)
		if err := copyRange(dst, src, done, end); err != nil {
			return err
		}
		if done = end; done < size {
			crash.At("spool half copied")
		}
	}
	return nil
}

// copyPiece is how many bytes are copied at a time; fewer in tests.
var copyPiece int64 = 1 << 30

// copyRange is copyContent of the bytes from done to end.
func copyRange(dst, src *os.File, done, end int64) error {
	for done < end {
		from, to := done, done
		n, err := unix.CopyFileRange(int(src.Fd()), &from, int(dst.Fd()), &to, int(end-done), 0)
		if n <= 0 || err != nil {
			break // it cannot, or there is a failure that the copy below tells
		}
		done += int64(n)
	}
	_, err := io.Copy(io.NewOffsetWriter(dst, done), io.NewSectionReader(src, done, end-done))
	return err
}

// open makes sp usable.
func (sp *spool) open() error {
	if sp.f != nil {
		return nil
	}
	f, err := os.OpenFile(sp.path, os.O_RDWR, 0)
	if err == nil {
		sp.f = f
	}
	return err
}

// sync makes a spool durable, its name included, unless it is nil or nobody
// has used it since. After a failure no sync of the store succeeds any more.
func (s *spools) sync(sp *spool) error {
	if sp == nil || sp.f == nil {
		return nil
	}
	if err := s.sound.Sync(func() error { return disk.SyncFile(sp.f) }); err != nil {
		return err
	}
	return s.syncDir(s.dir)
}

// syncDir makes the names in a directory durable, as sync does.
func (s *spools) syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return s.sound.Sync(func() error { return disk.SyncFile(dir) })
}

func (sp *spool) close() {
	if sp.f != nil {
		_ = sp.f.Close() // nothing is buffered; Fsync reports what matters
		sp.f = nil
	}
}

// disownedEnd marks spools of removed files: the next run drops them.
const disownedEnd = ".removed"

// disown has the content end with this run.
func (sp *spool) disown() {
	if !strings.HasSuffix(sp.path, disownedEnd) && os.Rename(sp.path, sp.path+disownedEnd) == nil {
		sp.path += disownedEnd
		crash.At("spool disowned")
	}
}

// drop removes sp for good.
func (s *spools) drop(sp *spool) {
	sp.close()
	crash.At("spool to be dropped")
	_ = os.Remove(sp.path) // gone already where it was moved away
	s.give(sp, sp.size)
}

// grown claims the room for sp to become size bytes long.
func (s *spools) grown(sp *spool, size int64) error {
	if sp.free {
		return nil
	}
	return refusal.WithoutRoom(s.room.Take(size - sp.size))
}

// give returns n bytes of sp's room.
func (s *spools) give(sp *spool, n int64) {
	if !sp.free {
		s.room.Give(n)
	}
}

// release returns all of sp's room: it is as good as gone.
func (s *spools) release(sp *spool) {
	s.give(sp, sp.size)
	sp.free = true
}

// outgoing is what a spool holds, to be sent: it is open and does not change.
func (sp *spool) outgoing() *outgoing {
	return &outgoing{f: sp.f, size: sp.size, measure: sp.measure}
}
