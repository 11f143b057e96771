package service

import "sync"

// batcher works on added items, a batch at a time, in a goroutine of its own, while
// the next batch fills. It has three batches at most: add waits if the work is slower.
// The last batch may be smaller.
type batcher[T any] struct {
	size int // of a batch
	work func(batch []T)

	batch []T
	full  chan []T // nil before the first is
	free  chan []T
	done  sync.WaitGroup
}

func (b *batcher[T]) add(items ...T) {
	for len(items) > 0 {
		n := min(len(items), b.size-len(b.batch))
		b.batch, items = append(b.batch, items[:n]...), items[n:]
		if len(b.batch) == b.size {
			b.handOver()
		}
	}
}

func (b *batcher[T]) handOver() {
	if b.full == nil {
		b.full, b.free = make(chan []T, 1), make(chan []T, 2)
		b.free <- make([]T, 0, b.size)
		b.free <- make([]T, 0, b.size)
		b.done.Go(b.run)
	}
	b.full <- b.batch
	b.batch = <-b.free
}

func (b *batcher[T]) run() {
	for batch := range b.full {
		b.work(batch)
		b.free <- batch[:0]
	}
}

// end returns when all that was added is worked on. After it, it does nothing.
func (b *batcher[T]) end() {
	if b.full != nil {
		close(b.full)
		b.done.Wait()
		b.full = nil
	}
	b.work(b.batch)
	b.batch = nil
}
