package answer

import "sync"

// Worker passes batches of added items to Work in a goroutine of its own, while the
// next batch fills. It has three batches at most: Add waits if the work is slower. The
// last batch may be smaller.
type Worker[T any] struct {
	Size int // of a batch
	Work func(batch []T)

	batch []T
	full  chan []T // nil before the first full batch
	free  chan []T
	done  sync.WaitGroup
}

// Add adds items.
func (w *Worker[T]) Add(items ...T) {
	for len(items) > 0 {
		n := min(len(items), w.Size-len(w.batch))
		w.batch, items = append(w.batch, items[:n]...), items[n:]
		if len(w.batch) == w.Size {
			w.handOver()
		}
	}
}

func (w *Worker[T]) handOver() {
	if w.full == nil {
		w.full, w.free = make(chan []T, 1), make(chan []T, 2)
		w.free <- make([]T, 0, w.Size)
		w.free <- make([]T, 0, w.Size)
		w.done.Go(w.run)
	}
	w.full <- w.batch
	w.batch = <-w.free
}

func (w *Worker[T]) run() {
	for batch := range w.full {
		w.Work(batch)
		w.free <- batch[:0]
	}
}

// End returns when Work has had all items. Further calls do nothing.
func (w *Worker[T]) End() {
	if w.full != nil {
		close(w.full)
		w.done.Wait()
		w.full = nil
	}
	w.Work(w.batch)
	w.batch = nil
}
