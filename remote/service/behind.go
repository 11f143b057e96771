package service

import "sync"

// behind does work on what it is given in a goroutine of its own, a batch at a
// time, so that what follows is made ready meanwhile. It holds three batches
// at most: who is faster waits. What is less than a batch is worked on at the
// end.
type behind[T any] struct {
	size int // of a batch
	work func(batch []T)

	batch []T
	full  chan []T // nil before the first is
	free  chan []T
	done  sync.WaitGroup
}

func (b *behind[T]) add(items ...T) {
	for len(items) > 0 {
		n := min(len(items), b.size-len(b.batch))
		b.batch, items = append(b.batch, items[:n]...), items[n:]
		if len(b.batch) == b.size {
			b.handOver()
		}
	}
}

func (b *behind[T]) handOver() {
	if b.full == nil {
		b.full, b.free = make(chan []T, 1), make(chan []T, 2)
		b.free <- make([]T, 0, b.size)
		b.free <- make([]T, 0, b.size)
		b.done.Go(b.run)
	}
	b.full <- b.batch
	b.batch = <-b.free
}

func (b *behind[T]) run() {
	for batch := range b.full {
		b.work(batch)
		b.free <- batch[:0]
	}
}

// end returns when all that was added is worked on. After it, it does nothing.
func (b *behind[T]) end() {
	if b.full != nil {
		close(b.full)
		b.done.Wait()
		b.full = nil
	}
	b.work(b.batch)
	b.batch = nil
}
