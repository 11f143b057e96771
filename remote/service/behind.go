package service

import (
	"sync"

	"paperfs/remote/service/store"
)

// behindBatch is how many nodes are handed over at a time.
const behindBatch = 256

// behind visits nodes in a goroutine of its own, so that an answer is written
// and sent while the store reads what follows. It holds three batches at most:
// a client that takes its answer slowly holds the walk up.
type behind struct {
	visit func(n store.Node, depth int)

	batch []visited
	full  chan []visited // nil before the first is
	free  chan []visited
	done  sync.WaitGroup
}

type visited struct {
	node  store.Node
	depth int
}

func (b *behind) add(n store.Node, depth int) error {
	b.batch = append(b.batch, visited{n, depth})
	if len(b.batch) == behindBatch {
		b.handOver()
	}
	return nil
}

func (b *behind) handOver() {
	if b.full == nil {
		b.full, b.free = make(chan []visited, 1), make(chan []visited, 2)
		b.free <- nil
		b.free <- nil
		b.done.Go(b.run)
	}
	b.full <- b.batch
	b.batch = <-b.free
}

func (b *behind) run() {
	for batch := range b.full {
		b.visitAll(batch)
		b.free <- batch[:0]
	}
}

func (b *behind) visitAll(batch []visited) {
	for _, v := range batch {
		b.visit(v.node, v.depth)
	}
}

// end returns when all that was added is visited. After it, it does nothing.
func (b *behind) end() {
	if b.full != nil {
		close(b.full)
		b.done.Wait()
		b.full = nil
	}
	b.visitAll(b.batch)
	b.batch = nil
}
