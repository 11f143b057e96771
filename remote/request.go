package remote

import (
	"sync/atomic"
	"time"
)

// request is one call of an operation.
type request struct {
	op     *Operation
	params []string // the table's order; "" for a bulk parameter
	want   func() reading
	bulk   *bulk        // content that is streamed after the form
	finish func() error // the content's Finisher

	sending func(sent int64) // the content is Watched
	inForm  int64            // bytes of content that the form holds
	known   Validator        // of the tree that the caller has, empty if there is none

	number uint64    // of the call in this process
	began  time.Time // the attempt under way, on the client's clock
	form   []byte
	sent   atomic.Int64
	got    atomic.Int64
	code   Code
	date   time.Time // of the last answer, on the service's clock; zero where it told none

	validator Validator // of the last answer
	unchanged bool      // the last answer was that the tree is the known one
}

// cancelled is the error of a call whose wait has ended.
func (c *Client) cancelled(r *request, err error) *Error {
	e := c.newError(r, Cancelled)
	e.Err = err
	return e
}

// newError begins the error of a call.
func (c *Client) newError(r *request, kind Kind) *Error {
	return &Error{Op: r.op.Name, Kind: kind, Request: r.number}
}
