package spool

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/refusal"
	"paperfs/remote"
)

// File is one file of local content. The Body.Mu of the file that owns it guards it.
type File struct {
	Path   string
	Serial uint64
	F      *os.File // nil while it is not in use
	Size   int64    // bytes
	Frozen int      // number of uploads that need it unchanged
	Lack   *Lack    // nil: it lacks nothing
	free   bool     // it takes no room: only the kernel knows the file
	sealed bool     // it is not written any more, and F can only be read: see Seal

	measure *remote.Measure // of all content; nil after a write that was not at the end
	// Kept is the measure of all content in a form for the next run, "" if unknown.
	Kept string
	// Early is the upload that began while programs wrote sp; nil: none did.
	Early *Early
}

// Dir creates spool files.
type Dir struct {
	Path   string
	Room   *disk.Room
	Sound  *disk.Soundness // of the store's syncs
	Synced bool            // most content will be synced, so write-back starts during the writes
	Serial atomic.Uint64

	disowned []string // names that Leftovers found disowned
	over     []string // paths of disowned spools
}

// Create creates an empty spool.
func (s *Dir) Create() (*File, error) {
	disk.CrashPoint("spool to be made")
	serial := s.Serial.Add(1)
	path := s.at(Name(serial))
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	disk.CrashPoint("spool made")
	return &File{Path: path, Serial: serial, F: f, measure: new(remote.Measure)}, nil
}

func (s *Dir) at(name string) string { return filepath.Join(s.Path, name) }

// PathOf returns the path of a spool.
func (s *Dir) PathOf(serial uint64) string { return s.at(Name(serial)) }

// Name returns the file name of a spool.
func Name(serial uint64) string { return strconv.FormatUint(serial, 10) }

// ofSize creates a spool of size bytes, which are still to come, and takes their room.
func (s *Dir) ofSize(size int64) (*File, error) {
	if err := s.Room.Take(size); err != nil {
		return nil, refusal.WithoutRoom(err)
	}
	sp, err := s.Create()
	if err != nil {
		s.Room.Give(size)
		return nil, err
	}
	sp.Size, sp.measure = size, nil
	return sp, nil
}

// From creates a spool with the first size bytes of src.
func (s *Dir) From(src *os.File, size int64) (*File, error) {
	sp, err := s.ofSize(size)
	if err != nil {
		return nil, err
	}
	if err := sp.copyOf(src, size); err != nil {
		s.Drop(sp)
		return nil, err
	}
	disk.CrashPoint("spool copied")
	return sp, nil
}

// copyOf fills sp, which is new. Until it succeeds, sp has the name of an unfinished copy.
func (sp *File) copyOf(src *os.File, size int64) error {
	whole := sp.Path
	if err := os.Rename(whole, whole+UnfinishedEnd); err != nil {
		return err
	}
	sp.Path = whole + UnfinishedEnd
	disk.CrashPoint("spool to be copied")
	if err := copyContent(sp.F, src, size); err != nil {
		return err
	}
	if err := os.Rename(sp.Path, whole); err != nil {
		return err
	}
	sp.Path = whole
	return nil
}

// UnfinishedEnd marks unfinished copies. The next run removes them and uses the original.
const UnfinishedEnd = ".unfinished"

// copyContent copies size bytes of src to dst, which is empty. The file system shares them if
// it can. It neither uses nor changes the file positions.
func copyContent(dst, src *os.File, size int64) error {
	for done := int64(0); done < size; {
		end := min(size, done+CopyPiece)
		if err := copyRange(dst, src, done, end); err != nil {
			return err
		}
		if done = end; done < size {
			disk.CrashPoint("spool half copied")
		}
	}
	return nil
}

// CopyPiece is how many bytes are copied at a time; tests set less.
var CopyPiece int64 = 1 << 30

// copyRange copies the bytes from done to end.
func copyRange(dst, src *os.File, done, end int64) error {
	for done < end {
		from, to := done, done
		n, err := unix.CopyFileRange(int(src.Fd()), &from, int(dst.Fd()), &to, int(end-done), 0)
		if n <= 0 || err != nil {
			break // not supported, or an error that the copy below will report
		}
		done += int64(n)
	}
	_, err := io.Copy(io.NewOffsetWriter(dst, done), io.NewSectionReader(src, done, end-done))
	return err
}

// Open opens sp's file unless it is open. One that may only be read is sealed: it can be sent.
func (sp *File) Open() error {
	if sp.F != nil {
		return nil
	}
	if sp.sealed = sp.sealed || linked(sp.Path); sp.sealed {
		return sp.openSealed()
	}
	f, err := os.OpenFile(sp.Path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS) {
		sp.sealed = true
		return sp.openSealed()
	}
	if err == nil {
		sp.F = f
	}
	return err
}

// Sync makes a spool and its name durable, unless it is nil or not open, and so not written.
// After a failure, every later sync of the store fails.
func (s *Dir) Sync(sp *File) error {
	if sp == nil || sp.F == nil {
		return nil
	}
	if err := s.Sound.Sync(func() error { return disk.SyncFile(sp.F) }); err != nil {
		return err
	}
	return s.SyncDir(s.Path)
}

// SyncDir makes the names in a directory durable.
func (s *Dir) SyncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return s.Sound.Sync(func() error { return disk.SyncFile(dir) })
}

// Named reports whether the file of sp, if it is open, is where it was.
func (sp *File) Named() bool {
	if sp.F == nil {
		return true
	}
	open, err := sp.F.Stat()
	found, missing := os.Lstat(sp.Path)
	return err != nil || missing == nil && os.SameFile(open, found)
}

// Close closes sp's file. Then no more of what it lacks comes.
func (sp *File) Close() {
	sp.Early.Stop()
	if sp.Lack != nil {
		sp.Lack.Stop()
	}
	if sp.F != nil {
		_ = sp.F.Close() // nothing is buffered; Fsync reports what matters
		sp.F = nil
	}
}

// disownedEnd marks spools of removed files, which the next run removes.
const disownedEnd = ".removed"

// Disown marks the content to end with this run. It returns false if the rename failed.
func (sp *File) Disown() bool {
	if strings.HasSuffix(sp.Path, disownedEnd) {
		return true
	}
	if os.Rename(sp.Path, sp.Path+disownedEnd) != nil {
		return false
	}
	sp.Path += disownedEnd
	disk.CrashPoint("spool disowned")
	return true
}

// Drop removes sp permanently.
func (s *Dir) Drop(sp *File) {
	sp.Close()
	disk.CrashPoint("spool to be dropped")
	if os.Remove(sp.Path) != nil { // it was moved, or nothing can be removed from the directory
		_ = empty(sp.Path)
	}
	s.Give(sp, sp.Size)
}

// grown claims the room that sp needs to become size bytes long.
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

// Release returns all of sp's room, because its file ends with its last handle.
func (s *Dir) Release(sp *File) {
	s.Give(sp, sp.Size)
	sp.free = true
}

// Content returns the content of sp for sending; sp must be open and not change.
func (sp *File) Content() *Content {
	return &Content{Early: sp.Early, F: sp.F, Length: sp.Size, measure: cmp.Or(sp.measure, remote.MeasureOf(sp.Kept, sp.Size)), sealed: sp.sealed}
}
