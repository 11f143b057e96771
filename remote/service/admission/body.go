package admission

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"paperfs/remote/service/answer"
)

// Bounds limit the body of a stranger. The service may keep nothing of it, so that
// nothing else would end it.
type Bounds struct {
	Most   int64         // bytes, besides content
	Pace   int64         // least bytes a second
	Within time.Duration // of waiting for the body, after which Pace is checked
	Now    func() time.Time
}

// DefaultBounds returns the bounds of a service.
func DefaultBounds() *Bounds {
	return &Bounds{Most: 32 << 20, Pace: 16 << 10, Within: 2 * time.Minute, Now: time.Now}
}

// StallLimit is how long a request's body, or a part of an answer
// (answer.WritePart), may stall.
const StallLimit = 2 * time.Minute

// Body is a request's body as it arrives. It fails if it stalls for longer than Stall, or
// exceeds the bounds before good credentials have arrived.
type Body struct {
	io.ReadCloser
	Bounds    *Bounds
	Stall     time.Duration // how long it may stall
	Deadlines *Deadlines
	Content   func() int64 // how many bytes were content so far; nil for none
	Judge     func() error // checks the credentials that have arrived; nil if the request has none

	begun, ended bool
	bytes        int64 // read
	refused      error // why it is refused; nil within the bounds
	tooSlow      bool  // refused because of its pace

	waited  time.Duration // since the last check of the pace
	arrived int64         // bytes in that time
}

// Bytes returns how many bytes were read.
func (b *Body) Bytes() int64 { return b.bytes }

func (b *Body) Read(p []byte) (int, error) {
	if b.refused != nil {
		return 0, b.refused
	}
	b.begun = true
	b.Deadlines.Read(time.Now().Add(b.Stall))
	before := b.Bounds.Now()
	n, err := b.ReadCloser.Read(p)
	b.bytes += int64(n)
	switch {
	case err == io.EOF:
		b.ended = true
		// The server reads on after the body to learn of a client that leaves;
		// a deadline there would end the call.
		b.Deadlines.Read(time.Time{})
		b.Deadlines.Whole()
		return n, err
	case err != nil:
		b.ended = true
		b.Deadlines.EndReading() // the server must not wait for the rest either
		if errors.Is(err, os.ErrDeadlineExceeded) && !b.Deadlines.Ending() {
			return n, &answer.Failure{Status: http.StatusRequestTimeout, Line: fmt.Sprintf("The request stalled: nothing arrived for %v seconds.", b.Stall.Seconds())}
		}
		return n, &BodyError{err}
	}
	if b.refused = b.check(int64(n), b.Bounds.Now().Sub(before)); b.refused != nil {
		return 0, b.refused
	}
	return n, nil
}

// check refuses a stranger's body that passes the bounds.
func (b *Body) check(n int64, waited time.Duration) error {
	if b.Deadlines.Known() {
		return nil
	}
	if b.waited, b.arrived = b.waited+waited, b.arrived+n; b.waited >= b.Bounds.Within {
		if float64(b.arrived) < float64(b.Bounds.Pace)*b.waited.Seconds() {
			b.tooSlow = true
			return &answer.Failure{Status: http.StatusRequestTimeout, Line: fmt.Sprintf("The request arrives too slowly: less than %d bytes a second, without valid credentials.", b.Bounds.Pace)}
		}
		b.waited, b.arrived = 0, 0
	}
	more := b.bytes
	if b.Content != nil {
		more -= b.Content()
	}
	switch {
	case more <= b.Bounds.Most:
		return nil
	case b.Judge == nil:
		return b.TooEarly()
	}
	return b.Judge()
}

// TooEarly refuses a body whose parameters are too long without credentials.
func (b *Body) TooEarly() error {
	return TooEarly("Send the credentials before the rest, or at most %d bytes besides the content.", b.Bounds.Most)
}

// BodyError is a client's failure to send its body, as opposed to the service's failure
// to keep it.
type BodyError struct{ error }

// Unwrap returns the error of the connection.
func (e *BodyError) Unwrap() error { return e.error }
