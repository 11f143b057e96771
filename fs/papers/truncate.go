package papers

import (
	"context"
	"slices"
	"sync"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// drafts are the handles by which PDFs are being written, and the lengths that
// PDFs were truncated to. Truncation alone sends nothing and shows nothing; the
// next program that writes begins with what it left.
type drafts struct {
	mu   sync.Mutex
	open []*writing      // guarded by mu; in the order of their opening
	cuts map[int64]int64 // guarded by mu; lengths in bytes by paper
}

// add is called with a new handle. It begins with what a truncation left.
func (d *drafts) add(w *writing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if size, ok := d.cuts[w.paper]; ok {
		w.cut, w.length = true, size
	}
	d.open = append(d.open, w)
}

func (d *drafts) remove(w *writing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.open, w); i >= 0 {
		d.open = slices.Delete(d.open, i, i+1)
	}
}

// truncate notes a paper's new length, and finds the handle that thread opened
// last for it; nil where it has none. A handle that was written keeps its own
// length.
func (d *drafts) truncate(paper, size int64, w *writing, thread uint32) *writing {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := len(d.open) - 1; w == nil && i >= 0; i-- {
		if d.open[i].opener == thread && d.open[i].paper == paper {
			w = d.open[i]
		}
	}
	if w == nil || !w.written.Load() {
		if d.cuts == nil {
			d.cuts = map[int64]int64{}
		}
		d.cuts[paper] = size
	}
	return w
}

// wrote is called before a handle is written for the first time: a truncation
// until then is its own.
func (d *drafts) wrote(w *writing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !w.written.Swap(true) {
		delete(d.cuts, w.paper)
	}
}

// truncate changes the length for the handle w. Without a handle it is for that
// which the calling thread opened last: open(2) with O_TRUNC comes so, as OPEN
// and then a length of 0 by path. The draft of another writer stays as it is.
func (s *source) truncate(ctx context.Context, w *writing, size int64) (*writing, error) {
	w = s.drafts.truncate(s.id, size, w, threadOf(ctx))
	if w == nil {
		return nil, nil
	}
	return w, w.resize(s, size)
}

// threadOf is the kernel's number of the calling thread, 0 where it is not known.
func threadOf(ctx context.Context) uint32 {
	if c, ok := fuse.FromContext(ctx); ok {
		return c.Pid
	}
	return 0
}
