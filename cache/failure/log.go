package failure

import (
	"log/slog"
	"strings"
	"sync"
	"time"
)

const kept = 500

// maxMessage is how many bytes of a message are kept. Longer is one that quotes a value which
// was never meant to be one, such as a PDF that cp was told to write to url.
const maxMessage = 2000

// Log takes failures. Its methods may be called at the same time.
type Log struct {
	log *slog.Logger
	now func() time.Time

	mu    sync.Mutex // guards what follows
	ring  []Event    // grows to kept, then event n replaces event n-kept
	count uint64     // events ever
}

// New is a Log that writes its lines to log (nil: nowhere) and stamps events
// that have no time with now (nil: time.Now).
func New(log *slog.Logger, now func() time.Time) *Log {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if now == nil {
		now = time.Now
	}
	return &Log{log: log, now: now}
}

// Report writes e to the log, as one warning, and keeps it, without the middle of a long message.
func (l *Log) Report(e Event) {
	e.Message = withoutMiddle(e.Message)
	if e.Time.IsZero() {
		e.Time = l.now()
	}
	l.log.Warn("operation failed", "op", e.Op, "path", e.Path, "id", e.ID,
		"errno", e.Errno, "code", e.Code, "message", e.Message, "request", e.Request)

	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ring) < kept {
		l.ring = append(l.ring, e)
	} else {
		l.ring[l.count%kept] = e
	}
	l.count++
}

// withoutMiddle is text of at most maxMessage bytes: what a message quotes is in its middle, the
// reason before it or after it.
func withoutMiddle(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	const end = maxMessage / 2
	return strings.ToValidUTF8(text[:end-len("…")], "") + "…" + strings.ToValidUTF8(text[len(text)-end:], "")
}

// Succeeded notes that an operation on path has succeeded, in the failures of
// it that are kept.
func (l *Log) Succeeded(path string, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.ring {
		if e := &l.ring[i]; e.Path == path && e.Mended.IsZero() {
			e.Mended = at
		}
	}
}

// Events are the last 500 events, oldest first.
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

// Last is the newest event of exactly path among those kept.
func (l *Log) Last(path string) (Event, bool) {
	events := l.Events()
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Path == path {
			return events[i], true
		}
	}
	return Event{}, false
}

// Count is the number of events ever reported.
func (l *Log) Count() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count
}
