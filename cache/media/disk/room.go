package disk

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"

	"paperfs/cache/media/lock"
)

// Room keeps the spool from filling the disk: a quota for what is not at the
// service, and a reserve of free space.
type Room struct {
	Disk
	Quota int64 // 0 = none
	Cache Cache // gives way to what is written; nil where it lies on another disk

	mu   lock.Mutex[lock.Room]
	used int64 // guarded by mu: bytes of spools and failed content
}

// Cache can be had again, and frees its part of the disk.
type Cache interface {
	GiveWay(n int64) // bytes, as far as it can
	Size() int64
}

// Take claims n more bytes, or fails with *FullError.
func (r *Room) Take(n int64) error {
	if n <= 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Quota > 0 && r.used+n > r.Quota {
		return &FullError{fmt.Sprintf("unpublished content would exceed its quota of %s (%s used)", humanize.IBytes(uint64(r.Quota)), humanize.IBytes(uint64(r.used)))}
	}
	lack, err := r.Lacks(n)
	if lack > 0 && r.Cache != nil {
		r.Cache.GiveWay(lack)
		lack, err = r.Lacks(n)
	}
	if err != nil {
		return err
	}
	if lack > 0 {
		return &FullError{r.Words()}
	}
	r.used += n
	return nil
}

// Add counts n bytes that are there already.
func (r *Room) Add(n int64) {
	r.mu.Lock()
	r.used += n
	r.mu.Unlock()
}

// Give returns n bytes.
func (r *Room) Give(n int64) { r.Add(-n) }

// Used is how many bytes are claimed.
func (r *Room) Used() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.used
}

// Space is what the file system says of itself.
type Space struct{ Total, Free int64 }

// Space is what can still be written: the disk's free space without the
// reserve, with what the cache would give, or what the quota leaves where that
// is less.
func (r *Room) Space() (Space, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(r.Dir, &st); err != nil {
		return Space{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	total := int64(st.Blocks) * st.Bsize
	free := int64(st.Bavail)*st.Bsize - max(r.Reserve, 0)
	if r.Cache != nil {
		free += r.Cache.Size()
	}
	if r.Quota > 0 {
		total = min(total, r.Quota)
		free = min(free, r.Quota-r.used)
	}
	return Space{Total: total, Free: max(free, 0)}, nil
}
