package media

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"

	"paperfs/cache/media/lock"
)

// room keeps the spool from filling the disk: a quota for what is not at the
// service, and a reserve of free space.
type room struct {
	disk
	quota int64     // 0 = none
	cache *contents // gives way to what is written; nil where it lies on another disk

	mu   lock.Mutex[lock.Room]
	used int64 // guarded by mu: bytes of spools and failed content
}

// take claims n more bytes, or fails with Full.
func (r *room) take(n int64) error {
	if n <= 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.quota > 0 && r.used+n > r.quota {
		return &Error{Kind: Full, Detail: fmt.Sprintf("what is not at the service yet would pass the quota of %s (%s are used)", humanize.IBytes(uint64(r.quota)), humanize.IBytes(uint64(r.used)))}
	}
	lack, err := r.lacks(n)
	if lack > 0 && r.cache != nil {
		r.cache.giveWay(lack)
		lack, err = r.lacks(n)
	}
	if err != nil {
		return err
	}
	if lack > 0 {
		return &Error{Kind: Full, Detail: r.disk.words()}
	}
	r.used += n
	return nil
}

// hold counts n bytes that are there already.
func (r *room) hold(n int64) {
	r.mu.Lock()
	r.used += n
	r.mu.Unlock()
}

// give returns n bytes.
func (r *room) give(n int64) { r.hold(-n) }

// Space is what the file system says of itself.
type Space struct{ Total, Free int64 }

// space is what can still be written: the disk's free space without the
// reserve, with what the cache would give, or what the quota leaves where that
// is less.
func (r *room) space() (Space, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(r.dir, &st); err != nil {
		return Space{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	total := int64(st.Blocks) * st.Bsize
	free := int64(st.Bavail)*st.Bsize - max(r.reserve, 0)
	if r.cache != nil {
		free += r.cache.size()
	}
	if r.quota > 0 {
		total = min(total, r.quota)
		free = min(free, r.quota-r.used)
	}
	return Space{Total: total, Free: max(free, 0)}, nil
}
