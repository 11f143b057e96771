package contentcache

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// item is cached content.
type item struct {
	sum      string
	size     int64
	verified bool      // its sum was computed in this run
	pins     int       // number of open files that read it, plus papers whose PDF it is
	touched  time.Time // modification time of its file, for the next run
}

// touchAgain is the minimum time between two updates of a file's modification time.
const touchAgain = time.Minute

// scan adds what an earlier run left, and evicts what exceeds the limits.
func (c *Cache) scan() error {
	var found []*item
	err := filepath.WalkDir(c.disk.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !isSum(e.Name()) {
			return err
		}
		info, err := e.Info()
		if err == nil {
			found = append(found, &item{sum: e.Name(), size: info.Size(), touched: info.ModTime()})
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(found, func(a, b *item) int { return a.touched.Compare(b.touched) })
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, it := range found {
		c.putLocked(it)
	}
	c.evictLocked()
	return nil
}

// putLocked adds an item as the most recently used; c.mu must be held.
func (c *Cache) putLocked(it *item) {
	c.items[it.sum] = it
	c.total += it.size
	c.unpinned.Add(it.sum, it)
	for range c.papers[it.sum] {
		c.pinLocked(it)
	}
}

// dropLocked removes an item; c.mu must be held.
func (c *Cache) dropLocked(it *item) {
	c.unpinned.Remove(it.sum)
	delete(c.items, it.sum)
	c.total -= it.size
}

// pinLocked removes an item from the LRU; releaseLocked undoes that. c.mu must be held.
func (c *Cache) pinLocked(it *item) {
	it.pins++
	c.unpinned.Remove(it.sum)
}

func (c *Cache) releaseLocked(it *item) {
	if it.pins--; it.pins == 0 && c.items[it.sum] == it {
		c.unpinned.Add(it.sum, it)
	}
}

// evictLocked removes least recently used content until the limit, which does not count pinned
// PDFs, and the disk's reserve are respected; c.mu must be held.
func (c *Cache) evictLocked() {
	c.shrinkLocked()
	if lack, err := c.disk.Lacks(0); err == nil {
		c.removeLocked(lack)
	}
}

// shrinkLocked is evictLocked for the limit only; c.mu must be held.
func (c *Cache) shrinkLocked() {
	if c.limit >= 0 && c.total+c.parts > c.limit {
		c.removeLocked(c.overLocked())
	}
}

// overLocked returns by how much the limit is exceeded, by what is being read, too; c.mu must be held.
func (c *Cache) overLocked() int64 { return c.total + c.parts - c.pinnedSizeLocked() - c.limit }

// removeLocked evicts content to free n bytes, as far as possible; c.mu must be held.
func (c *Cache) removeLocked(n int64) {
	for n > 0 {
		sum, it, ok := c.unpinned.GetOldest()
		if !ok {
			return
		}
		c.dropLocked(it)
		n -= it.size
		_ = os.Remove(c.path(sum)) // already gone if a user cleared the cache
	}
}

// Keep pins the PDFs sent for a paper, instead of those pinned for it before.
func (c *Cache) Keep(paper int64, sums []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.pinned[paper]
	if c.pinned[paper] = sums; len(sums) == 0 {
		delete(c.pinned, paper)
	}
	for _, sum := range sums {
		c.countPaperLocked(sum, +1)
	}
	for _, sum := range old {
		c.countPaperLocked(sum, -1)
	}
}

// countPaperLocked adds by to the number of papers with a PDF; c.mu must be held.
func (c *Cache) countPaperLocked(sum string, by int) {
	if sum == "" {
		return
	}
	if c.papers[sum] += by; c.papers[sum] == 0 {
		delete(c.papers, sum)
	}
	it := c.items[sum]
	switch {
	case it == nil:
	case by > 0:
		c.pinLocked(it)
	default:
		c.releaseLocked(it)
	}
}

// PaperOf returns a paper that pins a PDF, here or not, or 0.
func (c *Cache) PaperOf(sum string) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	for paper, sums := range c.pinned {
		if slices.Contains(sums, sum) {
			return paper
		}
	}
	return 0
}

// pinnedSizeLocked returns the total size of the PDFs that papers pin; c.mu must be held.
func (c *Cache) pinnedSizeLocked() (bytes int64) {
	for sum := range c.papers {
		if it := c.items[sum]; it != nil {
			bytes += it.size
		}
	}
	return bytes
}

// Evict frees n bytes of the disk, as far as possible.
func (c *Cache) Evict(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.removeLocked(n)
}

// Size returns the total size of cached content in bytes, and of what is here of content that is
// being read.
func (c *Cache) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total + c.parts
}

// add records verified content. It may be evicted at once for the disk's reserve, but for the
// limit only after newer content was added.
func (c *Cache) add(sum string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.items[sum]
	if it == nil {
		it = &item{sum: sum, size: size, touched: time.Now()} // its file is new
		c.putLocked(it)
	}
	it.verified = true
	c.touchLocked(it)
	c.pinLocked(it)
	c.shrinkLocked()
	c.releaseLocked(it)
	if lack, err := c.disk.Lacks(0); err == nil {
		c.removeLocked(lack)
	}
}

// touchLocked records a use; c.mu must be held.
func (c *Cache) touchLocked(it *item) {
	c.unpinned.Get(it.sum)
	if now := time.Now(); now.Sub(it.touched) >= touchAgain {
		it.touched = now
		_ = os.Chtimes(c.path(it.sum), time.Time{}, now) // a failure only affects the LRU order of the next run
	}
}

// use records that content is opened, and reports whether it is verified.
func (c *Cache) use(sum string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.items[sum]
	if it == nil || !it.verified {
		return false
	}
	c.touchLocked(it)
	return true
}

func (c *Cache) forget(sum string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if it := c.items[sum]; it != nil {
		c.dropLocked(it)
	}
}

// Pin protects content from eviction until unpin is called.
func (c *Cache) Pin(sum string) (unpin func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.items[sum]
	if it == nil {
		return func() {}
	}
	c.pinLocked(it)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.releaseLocked(it)
		c.evictLocked()
	}
}
