package papers

import (
	"context"
	"sync"
	"time"

	"paperfs/fs/caller"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// A process that lists the pages of more than walkerPapers papers within
// walkerTime is a walker: it is shown what is known, because a walk over
// everything must not ask for each paper.
const (
	walkerPapers = 8
	walkerTime   = time.Minute
)

// walkers remembers which papers' pages each process has listed of late.
type walkers struct {
	mu     sync.Mutex
	listed map[uint32][]listedPaper // guarded by mu; by process, the latest last
}

type listedPaper struct {
	paper int64
	at    time.Time
}

// mayAsk notes that a process lists a paper's pages, and reports whether the
// service may be asked for them.
func (w *walkers) mayAsk(process uint32, paper int64, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for other, listed := range w.listed {
		if now.Sub(listed[len(listed)-1].at) >= walkerTime {
			delete(w.listed, other)
		}
	}
	var others []listedPaper
	for _, l := range w.listed[process] {
		if l.paper != paper && now.Sub(l.at) < walkerTime {
			others = append(others, l)
		}
	}
	may := len(others) < walkerPapers
	if w.listed == nil {
		w.listed = map[uint32][]listedPaper{}
	}
	w.listed[process] = append(others[max(0, len(others)-walkerPapers):], listedPaper{paper, now})
	return may
}

// pagesToList are a paper's pages for who lists them: those that are known,
// else those that the service tells, unless a walker asks.
func (t *Tree) pagesToList(ctx context.Context, id int64) ([]remote.Page, error) {
	may := t.walkers.mayAsk(caller.Process(threadOf(ctx)), id, time.Now())
	if known, ok := t.Library.KnownPages(id); ok || !may {
		return known, nil
	}
	return virtual.Read(ctx, func(ctx context.Context) ([]remote.Page, error) { return t.Library.Pages(ctx, id) })
}
