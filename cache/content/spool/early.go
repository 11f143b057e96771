package spool

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"paperfs/remote"
)

// EarlySize is how much of a file must have been written, in order, before its upload begins.
const EarlySize = 8 << 20

// earlyKept is how many of the last bytes wait for the end of the writes.
const earlyKept = 64 << 10

// earlyIdle is for how long an upload waits for more to send.
const earlyIdle = 10 * time.Second

var errEarlyOver = errors.New("the content was not written on in order")

// Early is the content of a spool that is being sent while programs write it. It implements remote.Growing. A request
// has an effect only with the last bytes, and these go out once End has said that the content is whole. A write
// that is not at the end, a truncation, or too long a time with nothing to send ends it without effect. The methods
// are safe for concurrent use, also on nil.
type Early struct {
	file *os.File    // of its own
	busy func() bool // other content is being sent, which goes first
	end  func()      // ends the request

	mu    sync.Mutex
	turn  sync.Cond // whatever follows has changed; its lock is mu
	size  int64     // written so far
	whole *Content  // nil: programs may write on
	over  bool
}

// BeginEarly begins an early upload of sp, which has all been written in order. While busy reports true, readers
// wait. end is called if the content will never be whole. The caller closes the upload.
func (sp *File) BeginEarly(busy func() bool, end func()) (*Early, error) {
	file, err := os.Open(sp.Path)
	if err != nil {
		return nil, err
	}
	e := &Early{file: file, busy: busy, end: end, size: sp.Size}
	e.turn.L = &e.mu
	sp.Early = e
	return e, nil
}

// InOrder reports whether all of sp was written from its begin to its end.
func (sp *File) InOrder() bool { return sp.measure != nil }

// set changes the state, unless the content is whole or over, and wakes readers. It reports whether it did.
func (e *Early) set(change func()) bool {
	if e == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over || e.whole != nil {
		return false
	}
	change()
	e.turn.Broadcast()
	return true
}

func (e *Early) grew(size int64) { e.set(func() { e.size = size }) }

// Wake makes readers look again whether other content is being sent.
func (e *Early) Wake() { e.set(func() {}) }

// Stop ends the upload without effect, unless its content is whole.
func (e *Early) Stop() { e.GiveUp() }

// GiveUp implements remote.Growing.
func (e *Early) GiveUp() bool {
	if e.set(func() { e.over = true }) {
		e.end()
	}
	return !e.Whole()
}

// End makes c the whole content, which does not change any more. It reports false if the upload has ended before.
func (e *Early) End(c *Content) bool {
	return e.set(func() { e.whole, e.size = c, c.Length })
}

// Close closes the file; the upload must have ended.
func (e *Early) Close() { _ = e.file.Close() } // it was only read

// Whole implements remote.Growing.
func (e *Early) Whole() bool { return e.content() != nil }

func (e *Early) content() *Content {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.whole
}

// Size implements remote.Content.
func (e *Early) Size() int64 {
	if c := e.content(); c != nil {
		return c.Size()
	}
	return -1
}

// Measure implements remote.Measured.
func (e *Early) Measure() *remote.Measure {
	if c := e.content(); c != nil {
		return c.Measure()
	}
	return nil
}

// Sending implements remote.Watched.
func (e *Early) Sending(sent int64) {
	if c := e.content(); c != nil {
		c.Sending(sent)
	}
}

// Open implements remote.Content.
func (e *Early) Open() (io.ReadCloser, error) {
	if c := e.content(); c != nil {
		return c.Open()
	}
	return io.NopCloser(&earlyReader{e: e}), nil
}

// earlyReader reads what programs write.
type earlyReader struct {
	e  *Early
	at int64
}

func (r *earlyReader) Read(p []byte) (int, error) {
	most, err := r.e.wait(r.at)
	if err != nil {
		return 0, err
	}
	n, err := r.e.file.ReadAt(p[:min(most, int64(len(p)))], r.at)
	r.at += int64(n)
	return n, err
}

// wait waits until there is content from an offset on, and returns how much; io.EOF if all was read.
func (e *Early) wait(from int64) (int64, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var idle *time.Timer
	for {
		switch {
		case e.over:
			return 0, errEarlyOver
		case e.whole != nil && from == e.size:
			return 0, io.EOF
		case e.whole != nil:
			return e.size - from, nil
		case e.size-earlyKept > from && !e.busy():
			return e.size - earlyKept - from, nil
		}
		if idle == nil {
			idle = time.AfterFunc(earlyIdle, e.Stop)
			defer idle.Stop()
		}
		e.turn.Wait()
	}
}
