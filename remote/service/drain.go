package service

import (
	"net/http"
	"sync"
	"time"
)

const (
	// drainLimit is how long requests without good credentials go on when the
	// service ends. Others are finished, however long they take.
	drainLimit = 20 * time.Second
	// drainPause is for answers that were given to reach their clients.
	drainPause = 5 * time.Second
)

// past is a deadline that ends what waits.
var past = time.Unix(1, 0)

// deadlines are until when a request's connection may stand still. A writer
// that is no connection has none.
type deadlines struct {
	rc *http.ResponseController

	mu    sync.Mutex // guards all below, and the setting of deadlines
	known bool       // good credentials have come
	over  bool       // the request is; its connection is another's
	// end is when nothing more is read of a stranger's request; answers have
	// until last. Zero while the service goes on.
	end, last time.Time
}

func (d *deadlines) read(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.rc.SetReadDeadline(d.within(t, d.end))
}

func (d *deadlines) write(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.rc.SetWriteDeadline(d.within(t, d.last))
}

// within is the earlier of a deadline and a stranger's end.
func (d *deadlines) within(t, end time.Time) time.Time {
	if !d.known && !end.IsZero() && (t.IsZero() || t.After(end)) {
		return end
	}
	return t
}

func (d *deadlines) isKnown() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.known
}

// isEnding reports whether it is a stranger's request that ends because the service does.
func (d *deadlines) isEnding() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.known && !d.end.IsZero()
}

// know lifts the bounds of strangers.
func (d *deadlines) know() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known = true
	if !d.end.IsZero() {
		_ = d.rc.SetReadDeadline(time.Time{})
		_ = d.rc.SetWriteDeadline(time.Time{})
	}
}

// endAt ends a stranger's request.
func (d *deadlines) endAt(end, last time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known || d.over {
		return
	}
	d.end, d.last = end, last
	_ = d.rc.SetReadDeadline(end)
	_ = d.rc.SetWriteDeadline(last)
}

// underWay are the requests under way. Its lock is taken before theirs.
type underWay struct {
	mu      sync.Mutex // guards all below
	all     map[*deadlines]struct{}
	end     time.Time     // of strangers' requests; zero before the drain
	ended   bool          // that has passed
	pause   time.Duration // drainPause
	drained chan struct{}
	once    sync.Once // closes drained
}

func (u *underWay) add(d *deadlines) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all[d] = struct{}{}
	if !u.end.IsZero() {
		d.endAt(u.end, u.end.Add(u.pause))
	}
}

func (u *underWay) remove(d *deadlines) {
	u.mu.Lock()
	defer u.mu.Unlock()
	d.mu.Lock()
	d.over = true
	d.mu.Unlock()
	delete(u.all, d)
	u.look()
}

// drain ends the requests of strangers after limit.
func (u *underWay) drain(limit time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.end.IsZero() {
		return
	}
	u.end = time.Now().Add(limit)
	for d := range u.all {
		d.endAt(u.end, u.end.Add(u.pause))
	}
	time.AfterFunc(limit, func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.ended = true
		u.look()
	})
}

// look closes drained, after the pause, where only strangers are left. It is
// called with mu held.
func (u *underWay) look() {
	if !u.ended {
		return
	}
	for d := range u.all {
		if d.isKnown() {
			return
		}
	}
	time.AfterFunc(u.pause, func() { u.once.Do(func() { close(u.drained) }) })
}

// stallLimit is how long a request's body may stand still, or a part of an
// answer (answer.WritePart).
const stallLimit = 2 * time.Minute
