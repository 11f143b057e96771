package failure

import (
	"log/slog"
	"strings"
	"sync"
	"time"
)

const kept = 500

// read is the operation that changes nothing.
const read = "read"

// maxMessage is the number of bytes of a message that are kept. A longer one quotes a
// value that was written by mistake, such as a PDF that cp copied to url.
const maxMessage = 2000

// Log records failures. Its methods may be called concurrently.
type Log struct {
	log *slog.Logger
	now func() time.Time

	mu    sync.Mutex // guards what follows
	ring  []Event    // grows to kept events, then event n replaces event n-kept
	count uint64     // events ever reported
}

// New returns a Log that writes its lines to log (nil: nowhere). Events without a time get
// the time from now (nil: time.Now).
func New(log *slog.Logger, now func() time.Time) *Log {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if now == nil {
		now = time.Now
	}
	return &Log{log: log, now: now}
}

// again is the time within which an equal failure of a path is the same one. mv sends a refused rename twice, and rm -r
// asks for each file of a paper.
const again = time.Minute

// Report writes e to the log, as one warning, and keeps it. If e is the same as the last of its path, that gets its time
// instead. It removes the middle of a long message.
func (l *Log) Report(e Event) {
	e.Message = withoutMiddle(e.Message)
	if e.Time.IsZero() {
		e.Time = l.now()
	}
	if l.add(e) {
		log := l.log.With("op", e.Op, "path", e.Path)
		if e.To != "" {
			log = log.With("to", e.To)
		}
		log.Warn("operation failed", "id", e.ID, "errno", e.Errno, "code", e.Code, "message", e.Message, "request", e.Request)
	}
}

// add keeps e, and reports whether it is a new one.
func (l *Log) add(e Event) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if last := l.lastLocked(e.Path); last != nil && e.Time.Sub(last.Time) < again {
		same := e
		same.Time, same.Request = last.Time, last.Request
		if same == *last {
			last.Time = e.Time
			return false
		}
	}
	if len(l.ring) < kept {
		l.ring = append(l.ring, e)
	} else {
		l.ring[l.count%kept] = e
	}
	l.count++
	return true
}

// withoutMiddle shortens text to maxMessage bytes. A quoted value is in the middle, the
// reason before or after it.
func withoutMiddle(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	const end = maxMessage / 2
	return strings.ToValidUTF8(text[:end-len("…")], "") + "…" + strings.ToValidUTF8(text[len(text)-end:], "")
}

// Succeeded marks the kept failures of path as fixed by a later operation that succeeded. A read fixes
// reads alone: what a failed change should have done is not done.
func (l *Log) Succeeded(op, path string, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.ring {
		if e := &l.ring[i]; e.Path == path && e.Mended.IsZero() && (op != read || e.Op == read) {
			e.Mended = at
		}
	}
}

// Events returns the last 500 events, oldest first.
func (l *Log) Events() []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	events := make([]Event, 0, len(l.ring))
	oldest := 0
	if len(l.ring) == kept {
		oldest = int(l.count % kept)
	}
	events = append(events, l.ring[oldest:]...)
	return append(events, l.ring[:oldest]...)
}

// Last returns the newest kept event of exactly this path.
func (l *Log) Last(path string) (Event, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.lastLocked(path); e != nil {
		return *e, true
	}
	return Event{}, false
}

func (l *Log) lastLocked(path string) *Event {
	for i := range uint64(len(l.ring)) {
		if e := &l.ring[(l.count-1-i)%kept]; e.Path == path {
			return e
		}
	}
	return nil
}

// Count returns the number of events ever reported.
func (l *Log) Count() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count
}
