package reading

const (
	leastAhead = 1 << 20  // of the furthest reader, where it has read on
	mostAhead  = 32 << 20 // a faster service is not waited for any longer, and a stream that moves wastes no more
	firstAhead = leastAhead / 2

	disorder   = 2 << 20   // how far apart the kernel may ask for what one program reads in order
	continuing = 256 << 10 // the same for reads that follow each other
	enough     = 3         // reads that continue each other move the stream
	lead       = 16        // so many reads of another reader move the stream, however much its own reader has read before
	scattered  = 8         // more reads that continue none than others do: the program reads at random
)

// window says how far the stream may go ahead of the reader that it follows, and when it follows
// another one. Positions are offsets in bytes.
type window struct {
	start, furthest int64 // what the reader that the stream follows has read
	reads           int   // of that reader, since aside began; at most lead more than aside's
	aside           run   // of another reader
	jumps           int   // reads that continue none; one that does halves it
}

// run is a number of reads that continue each other.
type run struct {
	end   int64
	reads int
}

// ahead returns how far the stream goes ahead of the furthest reader: as far as that has come, so
// that the window doubles. A program that reads only the beginning, as `file` does, loads half of the
// least.
func (w *window) ahead() int64 {
	read := w.furthest - w.start
	if read <= blockSize {
		return firstAhead
	}
	return min(max(read, leastAhead), mostAhead)
}

// near is the distance at which a reader waits for the stream.
func (w *window) near() int64 { return min(w.ahead(), disorder) }

// limit returns the offset up to which the stream may fetch. Little is fetched for nobody: who
// opens a file and reads its tail does not want the beginning. But one block is: it comes while the
// open returns, and most programs read it next.
func (w *window) limit() int64 {
	if w.furthest == w.start {
		return w.start + blockSize
	}
	return w.furthest + w.ahead()
}

// note records a read.
func (w *window) note(off, end int64) {
	jumps := w.jumps
	w.jumps /= 2
	switch {
	case off >= w.furthest-disorder && off <= w.furthest+w.near():
		if jumps < scattered { // else it came here by chance
			w.furthest = max(w.furthest, end)
		}
		w.reads = min(w.reads+1, w.aside.reads+lead)
	case off >= w.aside.end-continuing && off <= w.aside.end+continuing:
		w.aside.end = max(w.aside.end, end)
		w.aside.reads++
	default:
		w.aside, w.reads, w.jumps = run{end, 1}, 0, min(jumps+1, 8*scattered)
	}
}

// follow makes the reader of [off, end) the one that the stream follows, without a move.
func (w *window) follow(end int64) { w.furthest = max(w.furthest, end) }

// moves reports whether the stream moves to the reader of a block at off, which it does not
// have: that reader reads on, and it reads more than the one that the stream follows.
func (w *window) moves(off int64) bool {
	return w.aside.reads >= enough && w.aside.reads > w.reads && off <= w.aside.end && off >= w.aside.end-disorder
}

// move makes the stream follow the reader that reads on at off.
func (w *window) move(off int64) { *w = window{start: off, furthest: max(off, w.aside.end)} }
