package remote

import "sync"

const (
	// pieceSize is how many bytes do hands over at a time.
	pieceSize = 128 << 10
	// inlineUpTo is how many bytes do works on itself, because a copy would cost more.
	inlineUpTo = 16 << 10
	// mostPieces is how many pieces there are in the process. A writer that is faster
	// than the work waits for a free piece.
	mostPieces = 12
)

type piece struct {
	data [pieceSize]byte
	n    int
}

// pieces has the free pieces; nil is a piece that is not allocated yet.
var pieces = func() chan *piece {
	c := make(chan *piece, mostPieces)
	for range mostPieces {
		c <- nil
	}
	return c
}()

// beside works on blocks of bytes, in order, in a goroutine that exists while there is
// work. So writing a file and working on its content can use two processors. The zero
// value is ready. Only one goroutine at a time may call do and wait.
type beside struct {
	begun int64 // bytes that do was given

	mu      sync.Mutex
	idle    *sync.Cond // nil before the first piece
	waiting []*piece
	running bool
}

// do hands p over; the caller may reuse p when do returns. It works on the first block
// itself: most files have only one.
func (b *beside) do(p []byte, work func([]byte)) {
	b.begun += int64(len(p))
	if b.begun <= blockSize || len(p) <= inlineUpTo && !b.busy() {
		work(p)
		return
	}
	for len(p) > 0 {
		piece := take()
		piece.n = copy(piece.data[:], p)
		p = p[piece.n:]
		b.give(piece, work)
	}
}

func take() *piece {
	if p := <-pieces; p != nil {
		return p
	}
	return new(piece)
}

func (b *beside) busy() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.running
}

func (b *beside) give(p *piece, work func([]byte)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.idle == nil {
		b.idle = sync.NewCond(&b.mu)
	}
	b.waiting = append(b.waiting, p)
	if !b.running {
		b.running = true
		go b.run(work)
	}
}

func (b *beside) run(work func([]byte)) {
	for p := b.next(); p != nil; p = b.next() {
		work(p.data[:p.n])
		pieces <- p
	}
}

// next returns the next piece. It returns nil when nothing is left; then the goroutine
// ends.
func (b *beside) next() *piece {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		b.waiting, b.running = nil, false
		b.idle.Broadcast()
		return nil
	}
	p := b.waiting[0]
	b.waiting = b.waiting[1:]
	return p
}

// wait returns when all work is done.
func (b *beside) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.running {
		b.idle.Wait()
	}
}
