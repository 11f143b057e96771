package filestore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"paperfs/remote/durable"
	"paperfs/remote/service/store"
)

// Store is a store.Contents in a directory.
type Store struct {
	dir string
	// Reserve is how many bytes of the file system's free space drafts must not use. Open sets
	// it; it must not be changed while drafts are written.
	Reserve int64

	// NoRoom, if not nil, makes the disk count as full when it returns true. Only tests set it,
	// before drafts are written.
	NoRoom func() bool

	// MakeRoom, if not nil, removes some of what is worth less than new content, and reports whether
	// there was any. It is called where a draft meets the reserve, and is set before drafts are written.
	MakeRoom func() bool
}

var _ store.Contents = (*Store)(nil)

// maxReserve limits the default reserve, which is a twentieth of the file system.
const maxReserve = 1 << 30

// DefaultReserve returns the reserve for a file system of so many bytes.
func DefaultReserve(size int64) int64 { return min(maxReserve, size/20) }

// Open opens the directory, creating it if necessary.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir}
	if err := os.MkdirAll(s.incoming(), 0o700); err != nil {
		return nil, err
	}
	if err := errors.Join(durable.SyncDir(dir), durable.SyncDir(filepath.Dir(dir))); err != nil {
		return nil, err
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return nil, fmt.Errorf("free space of %s: %w", dir, err)
	}
	s.Reserve = DefaultReserve(int64(disk.Blocks) * disk.Bsize)
	return s, nil
}

// ReadOnly returns the contents of a directory, which may be missing, for reading only.
func ReadOnly(dir string) *Store { return &Store{dir: dir} }

func (s *Store) incoming() string { return filepath.Join(s.dir, "incoming") }

// path returns the path of a key's content. It rejects keys that this package did not make.
func (s *Store) path(key string) (string, error) {
	if !isKey(key) {
		return "", fmt.Errorf("content %q: %w", key, store.ErrNotFound)
	}
	return filepath.Join(s.dir, key[:2], key), nil
}

// Open implements store.Contents. For a whole content it returns the file itself, which can be
// sent without copying. An open file stays readable after its removal.
func (s *Store) Open(ctx context.Context, key string, offset, length int64) (io.ReadSeekCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := s.File(key)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() < offset+length {
		err = fmt.Errorf("content %s has %d bytes, not %d: %w", key, info.Size(), offset+length, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if offset == 0 && length == info.Size() {
		return f, nil
	}
	return &part{io.NewSectionReader(f, offset, length), f}, nil
}

// part is a section of a file.
type part struct {
	*io.SectionReader
	io.Closer
}

// File opens a whole content, whatever its length.
func (s *Store) File(key string) (*os.File, error) {
	path, err := s.path(key)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("content %s: %w", key, store.ErrNotFound)
	}
	return f, err
}

// Remove removes content. Missing content is no error.
func (s *Store) Remove(key string) error {
	path, err := s.path(key)
	if err == nil {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// Create implements store.Contents.
func (s *Store) Create(ctx context.Context) (store.Draft, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &draft{incoming: incoming{store: s, key: uuid.NewString()}}, nil
}

// CreateAs is Create for content that already has a key: a copy from another store. It discards
// what an earlier attempt left.
func (s *Store) CreateAs(ctx context.Context, key string) (store.Draft, error) {
	if _, err := s.path(key); err != nil {
		return nil, err
	}
	return &draft{incoming: incoming{store: s, key: key}}, errors.Join(ctx.Err(), ignoreMissing(os.Remove(filepath.Join(s.incoming(), key))))
}

// Size returns the size of content in bytes.
func (s *Store) Size(_ context.Context, key string) (int64, error) {
	f, err := s.File(key)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Sync makes everything on the store's file system durable.
func (s *Store) Sync() error {
	d, err := os.Open(s.dir)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(d.Fd())), d.Close())
}

func spaceError(err error) error {
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		return fmt.Errorf("%w: %w", store.ErrNoSpace, err)
	}
	return err
}
