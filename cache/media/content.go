package media

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"

	"paperfs/cache/media/lock"
)

// contents holds published content by its SHA-256, up to a limit and as long
// as the disk has more than its reserve: what was not used for longest goes
// first, except what is open, and the PDFs that were sent for papers: the service does
// not give those back, and mv has removed what they were copied from. Everything else can
// be had again where the service gives an address, so nothing is fsynced; what an
// earlier run left is verified when it is first read.
type contents struct {
	disk
	limit int64 // bytes, negative = none

	mu    lock.Mutex[lock.Contents]
	items map[string]*item // guarded by mu, by sum
	used  list.List        // guarded by mu: the sums, those not used for longest first
	total int64            // guarded by mu: bytes of all items
	kept  map[int64]string // guarded by mu: the sums of the PDFs last sent, by paper
}

func newContents(d disk, limit int64, kept map[int64]string) (*contents, error) {
	c := &contents{disk: d, limit: limit, items: make(map[string]*item), kept: maps.Clone(kept)}
	if kept == nil {
		c.kept = make(map[int64]string)
	}
	if err := os.RemoveAll(c.incoming()); err != nil { // halves of an earlier run
		return nil, err
	}
	return c, c.scan()
}

func (c *contents) incoming() string { return filepath.Join(c.dir, "incoming") }

// temporary makes a file to be renamed into place. The directory is made each
// time: a user may clear the cache under a running mount.
func (c *contents) temporary() (*os.File, error) {
	if err := os.MkdirAll(c.incoming(), 0o700); err != nil {
		return nil, err
	}
	return os.CreateTemp(c.incoming(), "")
}

func (c *contents) path(sum string) string { return filepath.Join(c.dir, sum[:2], sum) }

// has reports whether content with a sum seems to be held.
func (c *contents) has(sum string) bool {
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

// open opens the content with a sum; os.ErrNotExist where it is not held.
func (c *contents) open(sum string) (*os.File, error) {
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
	actual, size, err := sumOf(f)
	if err != nil || actual != sum {
		f.Close()
		c.forget(sum)
		return nil, errors.Join(os.ErrNotExist, os.Remove(c.path(sum)))
	}
	c.add(sum, size)
	return f, nil
}

// adopt moves the file at path in as the content with a sum that was computed
// in this run. The file is gone from path afterwards in any case.
func (c *contents) adopt(path, sum string) error {
	step("content to be kept")
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
		step("content kept")
		c.add(sum, info.Size())
	}
	return err
}

// adoptAnew is adopt where a mere rename has failed: the first content of its
// directory, or the state is on another file system.
func (c *contents) adoptAnew(path, target string) error {
	defer os.Remove(path) // gone after the rename
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	if os.Rename(path, target) == nil {
		return nil
	}
	return c.copyIn(path, target)
}

func (c *contents) copyIn(path, target string) error {
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

// receive stores what r gives, and returns it open with its sum and size. If
// want is not empty and the sum is another, or r gives more than most bytes
// (negative: no limit), nothing is kept and f is nil; of more it takes one byte.
// Older content makes room for it; where that is not enough, and the
// disk would have less than the reserve, it fails with Full.
func (c *contents) receive(r io.Reader, want string, most int64) (f *os.File, sum string, size int64, err error) {
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
	if err := c.adopt(tmp.Name(), sum); err != nil {
		return nil, "", 0, errors.Join(err, tmp.Close())
	}
	return tmp, sum, size, nil
}

// sumOf is the SHA-256 and size of a file's content.
func sumOf(f *os.File) (string, int64, error) {
	h := sha256.New()
	n, err := io.Copy(h, io.NewSectionReader(f, 0, 1<<62))
	return hex.EncodeToString(h.Sum(nil)), n, err
}
