package service

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"paperfs/remote/service/drain"
	"paperfs/remote/service/plain"
)

// bodyBounds limit a body whose sender is not known: nothing of it may be kept,
// and so nothing else ends it.
type bodyBounds struct {
	most   int64         // bytes, beside content
	pace   int64         // bytes a second, in any such time that the service waits for the body:
	within time.Duration //
	now    func() time.Time
}

var defaultBodyBounds = bodyBounds{most: 32 << 20, pace: 16 << 10, within: 2 * time.Minute, now: time.Now}

// stallLimit is how long a request's body, or a part of an answer
// (answer.WritePart), may stand still.
const stallLimit = 2 * time.Minute

// requestBody is a request's body as it arrives. It does not stand still for
// longer than the stall limit, and keeps within the bounds until good
// credentials have come.
type requestBody struct {
	io.ReadCloser
	bounds    *bodyBounds
	stall     time.Duration // how long it may stand still
	deadlines *drain.Deadlines
	content   func() int64 // how many bytes were content so far; nil for none
	judge     func() error // judges the credentials that have come; nil where there are none

	begun, ended bool
	bytes        int64 // read
	refused      error // it is past a bound
	drips        bool  // that of its pace

	waited  time.Duration // since the pace was looked at
	arrived int64         // bytes in that time
}

func (b *requestBody) Read(p []byte) (int, error) {
	if b.refused != nil {
		return 0, b.refused
	}
	b.begun = true
	b.deadlines.Read(time.Now().Add(b.stall))
	before := b.bounds.now()
	n, err := b.ReadCloser.Read(p)
	b.bytes += int64(n)
	switch {
	case err == io.EOF:
		b.ended = true
		// The server reads on after the body to learn of a client that leaves;
		// a deadline there would end the call.
		b.deadlines.Read(time.Time{})
		return n, err
	case err != nil:
		b.ended = true
		b.deadlines.EndReading() // nor does the server wait for the rest
		if errors.Is(err, os.ErrDeadlineExceeded) && !b.deadlines.Ending() {
			return n, &plain.Failure{Status: http.StatusRequestTimeout, Line: fmt.Sprintf("The request stood still: nothing more of it arrived for %v seconds.", b.stall.Seconds())}
		}
		return n, &bodyError{err}
	}
	if b.refused = b.check(int64(n), b.bounds.now().Sub(before)); b.refused != nil {
		return 0, b.refused
	}
	return n, nil
}

// check holds what was read to the bounds, unless the credentials are good.
func (b *requestBody) check(n int64, waited time.Duration) error {
	if b.deadlines.Known() {
		return nil
	}
	if b.waited, b.arrived = b.waited+waited, b.arrived+n; b.waited >= b.bounds.within {
		if float64(b.arrived) < float64(b.bounds.pace)*b.waited.Seconds() {
			b.drips = true
			return &plain.Failure{Status: http.StatusRequestTimeout, Line: fmt.Sprintf("The request arrives too slowly: less than %d bytes a second, without valid credentials.", b.bounds.pace)}
		}
		b.waited, b.arrived = 0, 0
	}
	more := b.bytes
	if b.content != nil {
		more -= b.content()
	}
	switch {
	case more <= b.bounds.most:
		return nil
	case b.judge == nil:
		return b.tooEarly()
	}
	return b.judge()
}

func (b *requestBody) tooEarly() error {
	return tooEarly("Send the credentials before the rest, or at most %d bytes besides the content.", b.bounds.most)
}

// bodyError tells the failure of a client to send its body from that of the
// service to keep it.
type bodyError struct{ error }

func (e *bodyError) Unwrap() error { return e.error }
