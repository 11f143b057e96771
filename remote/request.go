package remote

import (
	"sync/atomic"
	"time"
)

// request is one call of an operation.
type request struct {
	op     *Operation
	params []string // the table's order; "" for a bulk parameter
	own    []string // names and values of parameters of paperfs's own service
	want   func() reading
	bulk   *bulk        // content; nil for none
	finish func() error // the content's Finisher

	sending func(sent int64) // reports to Watched content
	// held: the service answers when it has news. That the request ends without, and when, says nothing of the service:
	// it is no probe, no failure and no trouble.
	held  bool
	grows Growing   // content that was not whole at the begin: until it is, the request is held; nil for none
	known Validator // of the caller's tree; empty for none

	number uint64    // of the call in this process
	began  time.Time // the current attempt, by the client's clock
	body   []byte    // up to content that is streamed
	tail   []byte    // what follows that
	length int64     // of a body with streamed content; 0 for no such content, -1 while it is not whole
	raw    string    // the Content-Type of a body whose content goes raw; "" for a form
	sent   atomic.Int64
	got    atomic.Int64
	code   Code
	date   time.Time // of the last answer, by the service's clock; zero for none

	validator Validator // of the last answer
	unchanged bool      // the last answer says that the tree is the known one
}

// isHeld reports whether the request waits for something else than the service's answer.
func (r *request) isHeld() bool { return r.held || r.grows != nil && !r.grows.Whole() }

// cancelled returns the error of a call whose context ended while it waited.
func (c *Client) cancelled(r *request, err error) *Error {
	e := c.newError(r, Cancelled)
	e.Err = err
	return e
}

// newError returns an error of a call.
func (c *Client) newError(r *request, kind Kind) *Error {
	return &Error{Op: r.op.Name, Kind: kind, Request: r.number}
}
