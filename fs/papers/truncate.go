package papers

import (
	"context"
	"slices"
	"sync"
	"time"

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
	if size, ok := d.cuts[w.paper.Load()]; ok {
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

// of is the handle by which a PDF beside a paper that is not made yet was opened
// last, nil for none.
func (d *drafts) of(at entry) *writing {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range slices.Backward(d.open) {
		if at != (entry{}) && w.at == at && !w.gone.Load() {
			return w
		}
	}
	return nil
}

// all are the handles of a paper.
func (d *drafts) all(paper int64) (open []*writing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range d.open {
		if w.paper.Load() == paper {
			open = append(open, w)
		}
	}
	return open
}

// unlink has what is being written at a name without a paper sent nowhere. It
// reports whether there was any.
func (d *drafts) unlink(at entry) (was bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range d.open {
		if w.at == at && !w.gone.Swap(true) {
			was = true
		}
	}
	return was
}

// is reports whether a handle is of a paper, or of the name of one to be made.
func (w *writing) is(paper int64, at entry) bool {
	return paper != 0 && w.paper.Load() == paper || at != (entry{}) && w.at == at
}

// setTime sets when the content was written that is not sent yet. It reports
// whether there is any.
func (d *drafts) setTime(paper int64, at entry, mtime time.Time) (unsent bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range d.open {
		if w.is(paper, at) && w.written.Load() && !w.draft.Clean() {
			w.mtime.Store(mtime.UnixNano())
			unsent = true
		}
	}
	return unsent
}

// truncate notes a paper's new length, and finds the handle that thread opened
// last for it; nil where it has none. A handle that was written keeps its own
// length.
func (d *drafts) truncate(paper int64, at entry, size int64, w *writing, thread uint32) *writing {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := len(d.open) - 1; w == nil && i >= 0; i-- {
		if d.open[i].opener == thread && d.open[i].is(paper, at) {
			w = d.open[i]
		}
	}
	if paper != 0 && (w == nil || !w.written.Load()) {
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
		delete(d.cuts, w.paper.Load())
	}
}

// truncate changes the length for the handle w. Without a handle it is for that
// which the calling thread opened last: open(2) with O_TRUNC comes so, as OPEN
// and then a length of 0 by path. The draft of another writer stays as it is.
func (s *source) truncate(ctx context.Context, w *writing, size int64) (*writing, error) {
	w = s.drafts.truncate(s.paper(), s.beside.entry(), size, w, threadOf(ctx))
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
