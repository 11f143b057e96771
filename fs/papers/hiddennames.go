package papers

import (
	"sync"
)

// hiddenNames has the papers whose PDF has lost a name because a program removed it. The
// name is hidden until a program creates it again, or until the next mount: mv and install
// remove what they replace and then create it. The service keeps the pages, and this
// machine keeps the PDF, so that the old PDF remains if the new one is refused.
type hiddenNames struct {
	mu     sync.Mutex
	papers map[int64]bool // guarded by mu; false: it was removed and is visible again
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

// ever reports whether the name was removed since the mount. Then the kernel must not
// cache listings, because the name reappears when the PDF is written under its other name.
func (r *hiddenNames) ever(paper int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, was := r.papers[paper]
	return was
}
