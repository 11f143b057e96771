package media

import (
	"container/list"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// item is content that is held.
type item struct {
	sum      string
	size     int64
	verified bool          // its sum was computed in this run
	pins     int           // open files of the mount that read it
	touched  time.Time     // of its file, for the next run
	place    *list.Element // in contents.used
}

// touchAgain is how long a use of content is not written to its file again.
const touchAgain = time.Minute

// scan finds what an earlier run left, and takes out what is too much.
func (c *contents) scan() error {
	var found []*item
	err := filepath.WalkDir(c.dir, func(path string, e fs.DirEntry, err error) error {
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
		c.put(it)
	}
	c.evict("")
	return nil
}

// put takes an item in as the one used last; c.mu must be held.
func (c *contents) put(it *item) {
	it.place = c.used.PushBack(it.sum)
	c.items[it.sum] = it
	c.total += it.size
}

// drop takes an item out; c.mu must be held.
func (c *contents) drop(it *item) {
	c.used.Remove(it.place)
	delete(c.items, it.sum)
	c.total -= it.size
}

// evict removes what was not used for longest until the limit and the disk's
// reserve are kept. What is open stays; the content with the sum keep goes for
// the disk alone. c.mu must be held.
func (c *contents) evict(keep string) {
	if c.limit >= 0 && c.total > c.limit {
		_, bytes := c.staying()
		c.remove(c.total-bytes-c.limit, keep)
	}
	if lack, err := c.disk.lacks(0); err == nil {
		c.remove(lack, "")
	}
}

// remove frees n bytes, as far as it can; c.mu must be held.
func (c *contents) remove(n int64, keep string) {
	if n <= 0 {
		return
	}
	kept, _ := c.staying()
	for at := c.used.Front(); at != nil && n > 0; {
		it := c.items[at.Value.(string)]
		at = at.Next()
		if it.pins == 0 && it.sum != keep && !kept[it.sum] {
			c.drop(it)
			n -= it.size
			_ = os.Remove(c.path(it.sum)) // gone already where a user cleared the cache
		}
	}
}

// keep has the PDF that was last sent for a paper stay, "" for none, and no other of it.
func (c *contents) keep(paper int64, sum string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept[paper] = sum; sum == "" {
		delete(c.kept, paper)
	}
}

// staying are the sums of the PDFs that stay, and how many bytes they are; c.mu must be held.
func (c *contents) staying() (sums map[string]bool, bytes int64) {
	sums = make(map[string]bool, len(c.kept))
	for _, sum := range c.kept {
		if it := c.items[sum]; it != nil && !sums[sum] {
			sums[sum] = true
			bytes += it.size
		}
	}
	return sums, bytes
}

// giveWay frees n bytes of the disk, as far as it can.
func (c *contents) giveWay(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(n, "")
}

// size is how many bytes are held.
func (c *contents) size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// add notes verified content.
func (c *contents) add(sum string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.items[sum]
	if it == nil {
		it = &item{sum: sum, size: size, touched: time.Now()} // its file is new, too
		c.put(it)
	}
	it.verified = true
	c.touch(it)
	c.evict(sum)
}

// touch notes a use; c.mu must be held.
func (c *contents) touch(it *item) {
	c.used.MoveToBack(it.place)
	if now := time.Now(); now.Sub(it.touched) >= touchAgain {
		it.touched = now
		_ = os.Chtimes(c.path(it.sum), time.Time{}, now) // only the order of the next run depends on it
	}
}

// use notes that content is opened, and reports whether it is verified.
func (c *contents) use(sum string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.items[sum]
	if it == nil || !it.verified {
		return false
	}
	c.touch(it)
	return true
}

func (c *contents) forget(sum string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if it := c.items[sum]; it != nil {
		c.drop(it)
	}
}

// pin keeps content from being evicted until unpin is called.
func (c *contents) pin(sum string) (unpin func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.items[sum]
	if it == nil {
		return func() {}
	}
	it.pins++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		it.pins--
		c.evict("")
	}
}
