package generated

import (
	"fmt"
	"sync"
	"syscall"
	"time"

	"paperfs/fs/errno"
)

// Of a service that does not tell how many pages papers have, a process that lists the pages of more than
// walkerPapers papers within walkerTime is a walker: it is refused what is not cached, because a walk over
// everything must not cause a request for each paper.
const (
	walkerPapers = 8
	walkerTime   = time.Minute
)

// walkers records which papers' pages each process has listed recently.
type walkers struct {
	mu     sync.Mutex
	recent map[uint32]*walk // guarded by mu; by process
}

// walk is what a process lists without a pause of walkerTime.
type walk struct {
	listed  []listedPaper // the latest last
	refused bool
}

type listedPaper struct {
	paper int64
	at    time.Time
}

// refuse records that a process lists a paper's pages, and returns why that may not cause a request; nil if it
// may, or need not. The first refusal of a walk is recorded for the user, the others only fail.
func (w *walkers) refuse(process uint32, paper int64, cached bool, now time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for other, walk := range w.recent {
		if now.Sub(walk.listed[len(walk.listed)-1].at) >= walkerTime {
			delete(w.recent, other)
		}
	}
	of := w.recent[process]
	if of == nil {
		of = &walk{}
	}
	var others []listedPaper
	for _, l := range of.listed {
		if l.paper != paper && now.Sub(l.at) < walkerTime {
			others = append(others, l)
		}
	}
	if w.recent == nil {
		w.recent = map[uint32]*walk{}
	}
	w.recent[process] = of
	of.listed = append(others[max(0, len(others)-walkerPapers):], listedPaper{paper, now})
	if cached || len(others) < walkerPapers {
		return nil
	}
	again := of.refused
	of.refused = true
	return &errno.Refusal{Errno: syscall.EBUSY, Again: again, Reason: fmt.Sprintf("one program may have the pages of %d papers fetched within a minute, because each costs a request; "+
		"this listing, and those of further papers whose pages are not known, fail instead of being empty. Work on fewer papers at a time, or leave out pages/", walkerPapers)}
}
