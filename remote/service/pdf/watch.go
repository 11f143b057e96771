package pdf

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Causes for killing a worker.
var (
	errStalled = errors.New("no page for too long")
	errTotal   = errors.New("too long in all")
)

// watch kills a worker that takes too long. The time for a page is the worker's own
// processor time: on a busy machine a page is not at fault. The time in all passes while
// the worker works, not while a sink has its results.
type watch struct {
	limits Limits
	clock  int32 // of the worker's processor time
	cancel context.CancelCauseFunc
	total  *time.Timer
	stop   chan struct{}
	ended  sync.WaitGroup

	mu   sync.Mutex
	last time.Duration // processor time at the last message; negative = PDFium does not run yet

	left  time.Duration // of the limit in all; with since used by one goroutine
	since time.Time
}

func startWatch(limits Limits, pid int, cancel context.CancelCauseFunc) *watch {
	const processTime = 2 // CPUCLOCK_SCHED of the kernel
	w := &watch{limits: limits, clock: int32(^pid<<3 | processTime), cancel: cancel, stop: make(chan struct{}), last: -1, left: limits.Total, since: time.Now()}
	w.total = time.AfterFunc(limits.Total, func() { cancel(errTotal) })
	w.ended.Go(w.look)
	return w
}

func (w *watch) end() {
	w.total.Stop()
	close(w.stop)
	w.ended.Wait()
}

// used returns the worker's processor time; 0 if it has ended.
func (w *watch) used() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(w.clock, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// page begins the time of the next page. The first begins when PDFium runs: compiling it
// takes long on a slow machine.
func (w *watch) page() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = w.used()
}

func (w *watch) look() {
	every := time.NewTicker(min(time.Second, w.limits.Page/20+time.Millisecond))
	defer every.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-every.C:
		}
		w.mu.Lock()
		over := w.last >= 0 && w.used()-w.last > w.limits.Page
		w.mu.Unlock()
		if over {
			w.cancel(errStalled)
		}
	}
}

// outside calls f, which is not the worker's time.
func (w *watch) outside(f func() error) error {
	w.left -= time.Since(w.since)
	w.total.Stop()
	err := f()
	w.since = time.Now()
	w.total.Reset(w.left)
	return err
}

// watched is a sink whose time is not the worker's.
type watched struct {
	Sink
	watch *watch
}

func (s watched) Page(p Page) error { return s.watch.outside(func() error { return s.Sink.Page(p) }) }
