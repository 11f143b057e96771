package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// stallError means that an attempt was ended because nothing moved.
type stallError struct{ words string }

func (e *stallError) Error() string { return e.words }

// errDone is the cause of the end of a context whose attempt has finished.
var errDone = errors.New("the attempt is over")

// phase is what an attempt is doing.
type phase int

const (
	sending phase = iota // or connecting
	waitingForReply
	receiving
)

// watch ends an attempt when nothing moves for too long. It counts only the time that the
// other side takes, not local work between two reads.
type watch struct {
	ctx          context.Context
	cancel       context.CancelCauseFunc
	stall, reply time.Duration

	mu    sync.Mutex // guards phase and the setting of timer
	phase phase
	timer *time.Timer
}

func newWatch(parent context.Context, stall, reply time.Duration) *watch {
	ctx, cancel := context.WithCancelCause(parent)
	w := &watch{ctx: ctx, cancel: cancel, stall: stall, reply: reply}
	w.timer = time.AfterFunc(stall, w.expire)
	return w
}

func (w *watch) expire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.phase == waitingForReply {
		w.cancel(&stallError{fmt.Sprintf("no reply within %s", w.reply)})
		return
	}
	w.cancel(&stallError{fmt.Sprintf("no byte moved for %s", w.stall)})
}

// taken notes that the transport took a piece of the request. A redirect sends the request
// again.
func (w *watch) taken() { w.sends(w.stall) }

// sends sets the limit until the transport takes the next piece.
func (w *watch) sends(limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.phase != receiving {
		w.phase = sending
		w.timer.Reset(limit)
	}
}

// requestSent begins the wait for the reply, unless the reply came first.
func (w *watch) requestSent() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.phase == sending {
		w.phase = waitingForReply
		w.timer.Reset(w.reply)
	}
}

// replied ends the wait. From now on the limit holds for each read of the answer.
func (w *watch) replied() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.phase = receiving
	w.timer.Stop()
}

func (w *watch) end() {
	w.timer.Stop()
	w.cancel(errDone)
}

// stalled returns the reason if the watch has ended the attempt.
func (w *watch) stalled() *stallError {
	var e *stallError
	if errors.As(context.Cause(w.ctx), &e) {
		return e
	}
	return nil
}

// upload counts the bytes of a request body that the transport takes. Between two reads
// the transport waits for the network.
type upload struct {
	*bulkBody
	watch  *watch
	count  *atomic.Int64
	left   int64        // bytes
	finish func() error // asked before the last of them
}

func (u *upload) Read(p []byte) (int, error) {
	u.watch.sends(math.MaxInt64) // a program may still write it
	n, err := u.bulkBody.Read(p)
	u.left -= int64(n)
	if n > 0 && u.left <= 0 {
		if err := u.finish(); err != nil {
			return 0, err
		}
	}
	u.count.Add(int64(n))
	u.watch.taken()
	return n, err
}

// readError is a failure of the connection while an answer was read.
type readError struct{ err error }

func (e *readError) Error() string { return "the connection broke in the answer: " + e.err.Error() }
func (e *readError) Unwrap() error { return e.err }

// download counts the bytes of an answer. A read waits for the network. It fails after
// most bytes; most < 0 is no bound.
type download struct {
	r     io.Reader
	watch *watch
	count *atomic.Int64
	most  int64
	got   int64
}

func (d *download) Read(p []byte) (int, error) {
	if d.most >= 0 && int64(len(p)) > d.most-d.got+1 {
		p = p[:d.most-d.got+1]
	}
	d.watch.timer.Reset(d.watch.stall)
	n, err := d.r.Read(p)
	d.watch.timer.Stop()
	d.count.Add(int64(n))
	d.got += int64(n)
	if d.most >= 0 && d.got > d.most {
		return 0, broken("the answer is longer than %d bytes", d.most)
	}
	if err != nil && err != io.EOF {
		err = &readError{err}
	}
	return n, err
}
