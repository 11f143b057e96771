package contentcache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/disk"
	"paperfs/cache/media/lock"
)

// Cache keeps published content by its SHA-256. Its methods may be called at the same
// time.
type Cache struct {
	disk  disk.Disk
	limit int64 // bytes, negative = none

	mu       lock.Mutex[lock.Contents]
	items    map[string]*item              // guarded by mu, by sum
	unpinned *simplelru.LRU[string, *item] // guarded by mu: those of them that may go
	total    int64                         // guarded by mu: bytes of all items
	pinned   map[int64][]string            // guarded by mu: the sums of PDFs that were sent, by paper: the service does not give those back
	papers   map[string]int                // guarded by mu: how many papers have each of those sums
}

// New finds what an earlier run left in a disk's directory.
func New(d disk.Disk, limit int64, pinned map[int64][]string) (*Cache, error) {
	c := &Cache{disk: d, limit: limit, items: make(map[string]*item), pinned: make(map[int64][]string), papers: make(map[string]int)}
	var err error
	if c.unpinned, err = simplelru.NewLRU[string, *item](math.MaxInt, nil); err != nil { // the limit is one of bytes
		return nil, err
	}
	for paper, sums := range pinned {
		c.Keep(paper, sums)
	}
	if err := os.RemoveAll(c.incoming()); err != nil { // halves of an earlier run
		return nil, err
	}
	return c, c.scan()
}

func (c *Cache) incoming() string { return filepath.Join(c.disk.Dir, "incoming") }

// temporary makes a file to be renamed into place. The directory is made each
// time: a user may clear the cache under a running mount.
func (c *Cache) temporary() (*os.File, error) {
	if err := os.MkdirAll(c.incoming(), 0o700); err != nil {
		return nil, err
	}
	return os.CreateTemp(c.incoming(), "")
}

func (c *Cache) path(sum string) string { return filepath.Join(c.disk.Dir, sum[:2], sum) }

// Has reports whether content with a sum seems to be in the cache.
func (c *Cache) Has(sum string) bool {
	if !isSum(sum) {
		return false
	}
	_, err := os.Stat(c.path(sum))
	return err == nil
}

// isSum reports whether a text is a SHA-256: it is the service's word, and
// becomes part of a path.
func isSum(sum string) bool {
	raw, err := hex.DecodeString(sum)
	return err == nil && len(raw) == sha256.Size
}

// Open opens the content with a sum; os.ErrNotExist where it is not in the cache.
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

// Adopt moves the file at path in as the content with a sum that was computed
// in this run. The file is gone from path afterwards in any case.
func (c *Cache) Adopt(path, sum string) error {
	err := c.Take(path, sum)
	if err != nil {
		_ = os.Remove(path) // the next run finds it, and drops it
	}
	return err
}

// Take is Adopt for what must not be lost: where it fails the file is where it was.
func (c *Cache) Take(path, sum string) error {
	crash.At("content to be kept")
	target := c.path(sum)
	if _, err := os.Stat(target); err == nil && c.use(sum) {
		return os.Remove(path) // cheaper than to put it into the other's place
	}
	err := os.Rename(path, target)
	if err != nil {
		err = c.adoptAnew(path, target)
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err == nil {
		crash.At("content kept")
		c.add(sum, info.Size())
	}
	return err
}

// adoptAnew is adopt where a mere rename has failed: the first content of its
// directory, or the state is on another file system.
func (c *Cache) adoptAnew(path, target string) error {
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
	defer os.Remove(tmp.Name()) // gone after the rename
	_, err = io.Copy(tmp, src)
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), target)
}

// Receive stores what r gives, and returns it open with its sum and size. If
// want is not empty and the sum is another, or r gives more than most bytes
// (negative: no limit), nothing is kept and f is nil; of more it takes one byte.
// Older content makes room for it; where that is not enough, and the
// disk would have less than the reserve, it fails with *disk.FullError.
func (c *Cache) Receive(r io.Reader, want string, most int64) (f *os.File, sum string, size int64, err error) {
	if err := c.makeRoom(max(most, 0)); err != nil {
		return nil, "", 0, err
	}
	if most >= 0 {
		r = io.LimitReader(r, most+1)
	}
	tmp, err := c.temporary()
	if err != nil {
		return nil, "", 0, err
	}
	defer os.Remove(tmp.Name()) // gone after it was adopted
	h := sha256.New()
	if size, err = io.Copy(io.MultiWriter(&sparing{tmp, c}, h), r); err != nil {
		return nil, "", 0, errors.Join(err, tmp.Close())
	}
	sum = hex.EncodeToString(h.Sum(nil))
	if want != "" && sum != want || most >= 0 && size > most {
		return nil, sum, size, tmp.Close()
	}
	if err := c.Adopt(tmp.Name(), sum); err != nil {
		return nil, "", 0, errors.Join(err, tmp.Close())
	}
	return tmp, sum, size, nil
}

// SumOf is the SHA-256 and size of a file's content.
func SumOf(f *os.File) (string, int64, error) {
	h := sha256.New()
	n, err := io.Copy(h, io.NewSectionReader(f, 0, 1<<62))
	return hex.EncodeToString(h.Sum(nil)), n, err
}
