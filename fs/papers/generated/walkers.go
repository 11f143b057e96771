package generated

import (
	"sync"
	"time"
)

// A process that lists the pages of more than walkerPapers papers within walkerTime is a
// walker: it sees only cached pages, because a walk over everything must not cause a
// request for each paper.
const (
	walkerPapers = 8
	walkerTime   = time.Minute
)

// walkers records which papers' pages each process has listed recently.
type walkers struct {
	mu     sync.Mutex
	recent map[uint32][]listedPaper // guarded by mu; by process, the latest last
}

type listedPaper struct {
	paper int64
	at    time.Time
}

// mayAsk records that a process lists a paper's pages, and reports whether that may cause
// a request.
func (w *walkers) mayAsk(process uint32, paper int64, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for other, listed := range w.recent {
		if now.Sub(listed[len(listed)-1].at) >= walkerTime {
			delete(w.recent, other)
		}
	}
	var others []listedPaper
	for _, l := range w.recent[process] {
		if l.paper != paper && now.Sub(l.at) < walkerTime {
			others = append(others, l)
		}
	}
	may := len(others) < walkerPapers
	if w.recent == nil {
		w.recent = map[uint32][]listedPaper{}
	}
	w.recent[process] = append(others[max(0, len(others)-walkerPapers):], listedPaper{paper, now})
	return may
}
