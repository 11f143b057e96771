package contentcache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/lock"
)

// Cache stores published content by SHA-256. It is safe for concurrent use.
type Cache struct {
	disk  disk.Disk
	limit int64 // in bytes, negative = none

	mu       lock.Mutex[lock.Contents]
	items    map[string]*item              // guarded by mu: by sum
	unpinned *simplelru.LRU[string, *item] // guarded by mu: items that may be evicted
	total    int64                         // guarded by mu: total bytes
	parts    int64                         // guarded by mu: room taken for content that is being read
	pinned   map[int64][]string            // guarded by mu: sums of sent PDFs by paper; the service does not return them
	papers   map[string]int                // guarded by mu: number of papers per pinned sum
}

// New creates a cache with what an earlier run left in the directory.
func New(d disk.Disk, limit int64, pinned map[int64][]string) (*Cache, error) {
	c := &Cache{disk: d, limit: limit, items: make(map[string]*item), pinned: make(map[int64][]string), papers: make(map[string]int)}
	var err error
	if c.unpinned, err = simplelru.NewLRU[string, *item](math.MaxInt, nil); err != nil { // the cache limits bytes, not items
		return nil, err
	}
	for paper, sums := range pinned {
		c.Keep(paper, sums)
	}
	if err := os.RemoveAll(c.incoming()); err != nil { // partial downloads of an earlier run
		return nil, err
	}
	return c, c.scan()
}

func (c *Cache) incoming() string { return filepath.Join(c.disk.Dir, "incoming") }

// temporary creates a file that is later renamed into place. It creates the directory each
// time, because users may clear the cache during a mount.
func (c *Cache) temporary() (*os.File, error) {
	if err := os.MkdirAll(c.incoming(), 0o700); err != nil {
		return nil, err
	}
	return os.CreateTemp(c.incoming(), "")
}

func (c *Cache) path(sum string) string { return filepath.Join(c.disk.Dir, sum[:2], sum) }

// Has reports whether content with a sum appears to be cached.
func (c *Cache) Has(sum string) bool {
	if !isSum(sum) {
		return false
	}
	_, err := os.Stat(c.path(sum))
	return err == nil
}

// isSum reports whether text is a SHA-256 in hex. It comes from the service and becomes part of
// a path.
func isSum(sum string) bool {
	raw, err := hex.DecodeString(sum)
	return err == nil && len(raw) == sha256.Size
}

// Open opens the content with a sum, verifying it if this run has not done so. It returns
// os.ErrNotExist if it is not cached.
func (c *Cache) Open(sum string) (*os.File, error) {
	if !isSum(sum) {
		return nil, os.ErrNotExist
	}
	f, err := os.Open(c.path(sum))
	if err != nil {
		return nil, err
	}
	if c.use(sum) {
		return f, nil
	}
	actual, size, err := SumOf(f)
	if err != nil || actual != sum {
		f.Close()
		c.forget(sum)
		return nil, errors.Join(os.ErrNotExist, os.Remove(c.path(sum)))
	}
	c.add(sum, size)
	return f, nil
}

// Adopt moves the file at path, whose sum was computed in this run, into the cache. Afterwards
// there is no file at path, even on an error.
func (c *Cache) Adopt(path, sum string) error {
	err := c.Take(path, sum)
	if err != nil {
		_ = os.Remove(path) // if this fails, the next run drops it
	}
	return err
}

// Take is Adopt for content that must not be lost: on an error the file stays at path.
func (c *Cache) Take(path, sum string) error {
	disk.CrashPoint("content to be kept")
	target := c.path(sum)
	if c.use(sum) {
		if _, err := os.Stat(target); err == nil {
			return os.Remove(path) // cheaper than replacing the other
		}
	}
	err := os.Rename(path, target)
	if err != nil {
		err = c.adoptSlow(path, target)
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err == nil {
		disk.CrashPoint("content kept")
		c.add(sum, info.Size())
	}
	return err
}

// adoptSlow is the rest of Take after a plain rename failed: it is the first content of its
// directory, or the state is on another file system.
func (c *Cache) adoptSlow(path, target string) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	if os.Rename(path, target) == nil {
		return nil
	}
	err := c.copyIn(path, target)
	if err == nil {
		_ = os.Remove(path)
	}
	return err
}

func (c *Cache) copyIn(path, target string) error {
	src, err := os.Open(path)
	if err != nil {
		return err
	}
	defer src.Close()
	tmp, err := c.temporary()
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // already gone after the rename
	_, err = io.Copy(tmp, src)
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), target)
}

// Receive stores the size bytes that r returns, if their sum is the one that is wanted. Older content
// is evicted for it. If that is not enough to leave the disk its reserve, Receive fails with
// *disk.FullError.
func (c *Cache) Receive(r io.Reader, want string, size int64) error {
	if err := c.makeRoom(size); err != nil {
		return err
	}
	tmp, err := c.temporary()
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // already gone if it was adopted
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(&reserveWriter{tmp, c}, h), r)
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != want {
		return fmt.Errorf("content has the SHA-256 %s instead of %s", sum, want)
	}
	return c.Adopt(tmp.Name(), want)
}

// SumOf returns the SHA-256 and size of a file's content.
func SumOf(f io.ReaderAt) (string, int64, error) {
	h := sha256.New()
	n, err := io.Copy(h, io.NewSectionReader(f, 0, 1<<62))
	return hex.EncodeToString(h.Sum(nil)), n, err
}
