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
	finished bool       // the connection serves another request
	// A stranger's request reads nothing after end, and writes nothing after last.
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

// earlier returns the earlier of a deadline and a stranger's end.
func (d *Deadlines) earlier(t, end time.Time) time.Time {
	if !d.known && !end.IsZero() && (t.IsZero() || t.After(end)) {
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

// Ending reports whether the drain ends the request: it is a stranger's.
func (d *Deadlines) Ending() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.known && !d.end.IsZero()
}

// Know notes good credentials, and lifts a stranger's bounds.
func (d *Deadlines) Know() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known = true
	if !d.end.IsZero() {
		_ = d.rc.SetReadDeadline(time.Time{})
		_ = d.rc.SetWriteDeadline(time.Time{})
	}
}

// endAt ends a stranger's request.
func (d *Deadlines) endAt(end, last time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known || d.finished {
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
