package cli

import (
	"bytes"
	"io"
	"sync"
	"time"
)

const (
	// patience is how long Write waits until its text is written.
	patience = time.Second
	// limit bounds the bytes that wait to be written.
	limit = 1 << 20
)

// LogWriter writes texts in order to a file that may block: a terminal after ^S, a pipe to a
// stopped process or a pager, a journal that hangs. Write then returns after a second, or at
// once while an earlier write takes longer than that, so that users of a mount or a service do
// not wait for a reader of its log. Texts that exceed the limit are dropped and counted.
// It is safe for concurrent use.
type LogWriter struct {
	to   io.Writer
	lost func(to io.Writer, texts int)

	mu    sync.Mutex
	queue []*entry // guarded by mu
	size  int      // guarded by mu: bytes in queue
	drops int      // guarded by mu: texts dropped since the last one in queue
	busy  bool     // guarded by mu: flush runs
	stuck bool     // guarded by mu: the current write takes longer than patience
}

// entry is the text of one call of Write.
type entry struct {
	text    []byte
	drops   int           // texts dropped before this one
	err     error         // of the write, valid once written is closed
	written chan struct{} // closed after the write
}

// NewLogWriter returns a LogWriter that writes to a file. lost writes there that some texts were dropped.
func NewLogWriter(to io.Writer, lost func(to io.Writer, texts int)) *LogWriter {
	return &LogWriter{to: to, lost: lost}
}

// Write returns once text is written, with the error of that write, or after patience.
func (w *LogWriter) Write(text []byte) (int, error) {
	e, stuck := w.enqueue(text)
	if stuck {
		return len(text), nil
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-e.written:
		if e.err != nil {
			return 0, e.err
		}
	case <-late.C:
		w.mu.Lock()
		w.stuck = w.busy
		w.mu.Unlock()
	}
	return len(text), nil
}

// enqueue adds text to the queue, or drops it. stuck reports whether Write must not wait for it.
func (w *LogWriter) enqueue(text []byte) (e *entry, stuck bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) > 0 && w.size+len(text) > limit {
		w.drops++
		return nil, true
	}
	e = &entry{text: bytes.Clone(text), drops: w.drops, written: make(chan struct{})}
	w.queue, w.size, w.drops = append(w.queue, e), w.size+len(text), 0
	if !w.busy {
		w.busy = true
		go w.flush()
	}
	return e, w.stuck
}

// flush writes the queue until it is empty.
func (w *LogWriter) flush() {
	for {
		e, drops := w.next()
		if drops > 0 {
			w.lost(w.to, drops)
		}
		switch {
		case e != nil:
			_, e.err = w.to.Write(e.text)
			close(e.written)
		case drops == 0:
			return
		}
	}
}

// next takes the first text from the queue. It returns nil at the end. drops is the number of
// texts that were dropped before it, or at the end.
func (w *LogWriter) next() (e *entry, drops int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 {
		drops, w.drops = w.drops, 0
		w.busy, w.stuck = drops > 0, false
		return nil, drops
	}
	e = w.queue[0]
	w.queue, w.size = w.queue[1:], w.size-len(e.text)
	return e, e.drops
}
