package spool

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
	"paperfs/cache/media/inode"
	"paperfs/cache/media/refusal"
	"paperfs/remote"
)

// File is one file of local content. body.mu of the file it belongs to
// guards it.
type File struct {
	Path   string
	Serial uint64
	F      *os.File // nil while nobody uses it
	Size   int64    // bytes
	Frozen int      // uploads that read it and need it unchanged
	free   bool     // it takes no room: nobody but the kernel knows its file

	measure *remote.Measure // of all of it; nil once something was written elsewhere than at its end
	// Kept tells the next run what was measured of all of it, "" where that is not known.
	Kept string
}

// Dir makes spool files, named INO-SERIAL: of several for one inode the
// greatest serial is the newest content.
type Dir struct {
	Path   string
	Room   *disk.Room
	Sound  *disk.Soundness // of the store's syncs
	Synced bool            // most of it will be synced: the disk begins to take it while it is written
	Serial atomic.Uint64

	disowned []string // names that Leftovers found disowned
	over     []string // their files
}

func (s *Dir) Create(ino inode.Ino) (*File, error) {
	crash.At("spool to be made")
	serial := s.Serial.Add(1)
	path := s.PathOf(ino, serial)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	crash.At("spool made")
	return &File{Path: path, Serial: serial, F: f, measure: new(remote.Measure)}, nil
}

func (s *Dir) PathOf(ino inode.Ino, serial uint64) string {
	return filepath.Join(s.Path, Name(ino, serial))
}

// Name is the name of a spool.
func Name(ino inode.Ino, serial uint64) string { return fmt.Sprintf("%d-%d", ino, serial) }

// From makes a spool with size bytes of src.
func (s *Dir) From(ino inode.Ino, src *os.File, size int64) (*File, error) {
	if err := s.Room.Take(size); err != nil {
		return nil, refusal.WithoutRoom(err)
	}
	sp, err := s.Create(ino)
	if err != nil {
		s.Room.Give(size)
		return nil, err
	}
	sp.Size, sp.measure = size, nil
	if err := sp.copyFrom(src, size); err != nil {
		s.Drop(sp)
		return nil, err
	}
	crash.At("spool copied")
	return sp, nil
}

// copyFrom fills sp, which is new. Until that is done it is no spool.
func (sp *File) copyFrom(src *os.File, size int64) error {
	whole := sp.Path
	if err := os.Rename(whole, whole+UnfinishedEnd); err != nil {
		return err
	}
	sp.Path = whole + UnfinishedEnd
	crash.At("spool to be copied")
	if err := copyContent(sp.F, src, size); err != nil {
		return err
	}
	if err := os.Rename(sp.Path, whole); err != nil {
		return err
	}
	sp.Path = whole
	return nil
}

// UnfinishedEnd marks copies that are being made: the next run drops them, and
// goes on with what they were made of.
const UnfinishedEnd = ".unfinished"

// copyContent copies size bytes of src to dst, which is empty; the file system
// shares them where it can. Neither's position matters, or changes.
func copyContent(dst, src *os.File, size int64) error {
	for done := int64(0); done < size; {
		end := min(size, done+CopyPiece)
		if err := copyRange(dst, src, done, end); err != nil {
			return err
		}
		if done = end; done < size {
			crash.At("spool half copied")
		}
	}
	return nil
}

// CopyPiece is how many bytes are copied at a time; fewer in tests.
var CopyPiece int64 = 1 << 30

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

// Open makes sp usable.
func (sp *File) Open() error {
	if sp.F != nil {
		return nil
	}
	f, err := os.OpenFile(sp.Path, os.O_RDWR, 0)
	if err == nil {
		sp.F = f
	}
	return err
}

// Sync makes a spool durable, its name included, unless it is nil or nobody
// has used it since. After a failure no sync of the store succeeds any more.
func (s *Dir) Sync(sp *File) error {
	if sp == nil || sp.F == nil {
		return nil
	}
	if err := s.Sound.Sync(func() error { return disk.SyncFile(sp.F) }); err != nil {
		return err
	}
	return s.SyncDir(s.Path)
}

// SyncDir makes the names in a directory durable, as sync does.
func (s *Dir) SyncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return s.Sound.Sync(func() error { return disk.SyncFile(dir) })
}

func (sp *File) Close() {
	if sp.F != nil {
		_ = sp.F.Close() // nothing is buffered; Fsync reports what matters
		sp.F = nil
	}
}

// disownedEnd marks spools of removed files: the next run drops them.
const disownedEnd = ".removed"

// Disown has the content end with this run. It reports false where the disk did not take that.
func (sp *File) Disown() bool {
	if strings.HasSuffix(sp.Path, disownedEnd) {
		return true
	}
	if os.Rename(sp.Path, sp.Path+disownedEnd) != nil {
		return false
	}
	sp.Path += disownedEnd
	crash.At("spool disowned")
	return true
}

// Drop removes sp for good.
func (s *Dir) Drop(sp *File) {
	sp.Close()
	crash.At("spool to be dropped")
	_ = os.Remove(sp.Path) // gone already where it was moved away
	s.Give(sp, sp.Size)
}

// grown claims the room for sp to become size bytes long.
func (s *Dir) grown(sp *File, size int64) error {
	if sp.free {
		return nil
	}
	return refusal.WithoutRoom(s.Room.Take(size - sp.Size))
}

// Give returns n bytes of sp's room.
func (s *Dir) Give(sp *File, n int64) {
	if !sp.free {
		s.Room.Give(n)
	}
}

// Release returns all of sp's room: it is as good as gone.
func (s *Dir) Release(sp *File) {
	s.Give(sp, sp.Size)
	sp.free = true
}

// Content is what a spool has, to be sent: it is open and does not change.
func (sp *File) Content() *Content {
	measure := sp.measure
	if measure == nil {
		measure = remote.MeasureOf(sp.Kept, sp.Size)
	}
	return &Content{F: sp.F, Length: sp.Size, measure: measure}
}
