package papers

import (
	"sync"
)

// removed are the papers whose source.pdf was removed. Its name is hidden until
// a program makes it again, or until the next mount: mv and install remove what
// they replace and then create it. The service keeps its pages, and what is
// held here of the PDF stays, so that a new one that is refused leaves the one
// before.
type hiddenNames struct {
	mu     sync.Mutex
	papers map[int64]bool // guarded by mu; false: it was removed, and is there again
}

func (r *hiddenNames) has(paper int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.papers[paper]
}

func (r *hiddenNames) set(paper int64, is bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.papers == nil {
		r.papers = map[int64]bool{}
	}
	if is || r.papers[paper] {
		r.papers[paper] = is
	}
}

// ever reports whether the name was removed since the mount: then the kernel is not to keep
// listings, since the name comes back where the PDF is written by its other name.
func (r *hiddenNames) ever(paper int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, was := r.papers[paper]
	return was
}
