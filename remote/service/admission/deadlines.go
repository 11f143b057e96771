package admission

import (
	"net/http"
	"sync"
	"time"
)

// Deadlines are the read and write deadlines of one request's connection. A writer
// that is no connection has none.
type Deadlines struct {
	rc *http.ResponseController

	mu       sync.Mutex // guards all below, and the setting of deadlines
	known    bool       // good credentials have come
	open     bool       // the body has no length, and its end has not come: a program may still write it
	finished bool       // the connection serves another request
	// A stranger's request, and an open one, reads nothing after end, and writes nothing after last.
	// Both are zero until the service drains.
	end, last time.Time
}

// NewDeadlines returns the deadlines of the request that w answers.
func NewDeadlines(w http.ResponseWriter) *Deadlines {
	return &Deadlines{rc: http.NewResponseController(w)}
}

// Read sets the read deadline; zero is none.
func (d *Deadlines) Read(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.rc.SetReadDeadline(d.earlier(t, d.end))
}

// EndReading makes every read from the connection fail.
func (d *Deadlines) EndReading() { d.Read(past) }

// past is a deadline that ends every read.
var past = time.Unix(1, 0)

// Write sets the write deadline; zero is none.
func (d *Deadlines) Write(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.rc.SetWriteDeadline(d.earlier(t, d.last))
}

// bounded reports whether the drain ends the request; mu must be held.
func (d *Deadlines) bounded() bool { return !d.known || d.open }

// earlier returns the earlier of a deadline and the end of a bounded request.
func (d *Deadlines) earlier(t, end time.Time) time.Time {
	if d.bounded() && !end.IsZero() && (t.IsZero() || t.After(end)) {
		return end
	}
	return t
}

// Known reports whether the request has good credentials.
func (d *Deadlines) Known() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.known
}

// Ending reports whether the drain ends the request: it is a stranger's, or open.
func (d *Deadlines) Ending() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.bounded() && !d.end.IsZero()
}

// Know notes good credentials, and lifts a stranger's bounds.
func (d *Deadlines) Know() { d.note(func() { d.known = true }) }

// Open notes that the request's body has no length; it has the bounds of a stranger until Whole.
func (d *Deadlines) Open() { d.note(func() { d.open = true }) }

// Whole notes that all of the body has come.
func (d *Deadlines) Whole() { d.note(func() { d.open = false }) }

func (d *Deadlines) note(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.bounded()
	change()
	if was && !d.bounded() && !d.end.IsZero() {
		_ = d.rc.SetReadDeadline(time.Time{})
		_ = d.rc.SetWriteDeadline(time.Time{})
	}
}

// endAt ends a bounded request.
func (d *Deadlines) endAt(end, last time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.bounded() || d.finished {
		return
	}
	d.end, d.last = end, last
	_ = d.rc.SetReadDeadline(end)
	_ = d.rc.SetWriteDeadline(last)
}

// finish leaves the connection to its next request.
func (d *Deadlines) finish() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.finished = true
}
