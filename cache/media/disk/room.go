package disk

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"

	"paperfs/cache/media/lock"
)

// Room limits the spool: by a quota for content that is not at the service, and by a reserve of
// free space.
type Room struct {
	Disk
	Quota int64 // 0 = none
	Cache Cache // is evicted for writes; nil if it is on another disk

	mu   lock.Mutex[lock.Room]
	used int64 // guarded by mu: bytes of spools and failed/
}

// Cache can free its part of the disk, because its content can be fetched again.
type Cache interface {
	Evict(n int64) // frees n bytes, as far as possible
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
		r.Cache.Evict(lack)
		lack, err = r.Lacks(n)
	}
	if err != nil {
		return err
	}
	if lack > 0 {
		return &FullError{r.NoRoom()}
	}
	r.used += n
	return nil
}

// Add counts n bytes that exist already.
func (r *Room) Add(n int64) {
	r.mu.Lock()
	r.used += n
	r.mu.Unlock()
}

// Give returns n bytes.
func (r *Room) Give(n int64) { r.Add(-n) }

// Used returns how many bytes are claimed.
func (r *Room) Used() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.used
}

// Space is the size of a file system and what is free, in bytes.
type Space struct{ Total, Free int64 }

// Space returns what can still be written: free space plus the cache minus the reserve, or what
// is left of the quota if that is less.
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
