package disk

import (
	"fmt"
	"sync/atomic"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"
)

// Room limits the spool: by a quota for content that is not at the service, and by a reserve of
// free space.
type Room struct {
	Disk
	Quota  int64   // 0 = none
	Caches []Cache // on this disk; evicted for writes, in this order

	used atomic.Int64 // bytes of spools and failed/
}

// Cache can free its part of the disk, because its content can be fetched again or is worth less than new content.
type Cache interface {
	Evict(n int64) // frees n bytes, as far as possible
	Size() int64
}

// Take claims n more bytes, or fails with *FullError.
func (r *Room) Take(n int64) error {
	if n <= 0 {
		return nil
	}
	if err := r.claim(n); err != nil {
		return err
	}
	lack, err := r.Lacks(n)
	for i := 0; i < len(r.Caches) && lack > 0; i++ {
		r.Caches[i].Evict(lack)
		lack, err = r.Lacks(n)
	}
	if err == nil && lack > 0 {
		err = &FullError{r.NoRoom()}
	}
	if err != nil {
		r.Give(n)
	}
	return err
}

// claim is Take within the quota.
func (r *Room) claim(n int64) error {
	for {
		used := r.used.Load()
		if r.Quota > 0 && used+n > r.Quota {
			return &FullError{fmt.Sprintf("unpublished content would exceed its quota of %s (%s used)", humanize.IBytes(uint64(r.Quota)), humanize.IBytes(uint64(used)))}
		}
		if r.used.CompareAndSwap(used, used+n) {
			return nil
		}
	}
}

// Add counts n bytes that exist already.
func (r *Room) Add(n int64) { r.used.Add(n) }

// Give returns n bytes.
func (r *Room) Give(n int64) { r.Add(-n) }

// Used returns how many bytes are claimed.
func (r *Room) Used() int64 { return r.used.Load() }

// Space is the size of a file system and what is free, in bytes.
type Space struct{ Total, Free int64 }

// Space returns what can still be written: free space plus the cache minus the reserve, or what
// is left of the quota if that is less.
func (r *Room) Space() (Space, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(r.Dir, &st); err != nil {
		return Space{}, err
	}
	total := int64(st.Blocks) * st.Bsize
	free := int64(st.Bavail)*st.Bsize - max(r.Reserve, 0)
	for _, c := range r.Caches {
		free += c.Size()
	}
	if r.Quota > 0 {
		total = min(total, r.Quota)
		free = min(free, r.Quota-r.Used())
	}
	return Space{Total: total, Free: max(free, 0)}, nil
}
