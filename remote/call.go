package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"syscall"
	"time"
)

// request is one call of an operation.
type request struct {
	op     *Operation
	params []string // the table's order; "" for a bulk parameter
	want   func() reading
	bulk   *bulk        // content to be streamed behind the form
	finish func() error // the content\'s Finisher
	known  Validator    // of the tree that the caller has, empty where he has none

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

// callerError is an error of the caller's own function, given back as it is.
type callerError struct{ err error }

func (e *callerError) Error() string { return e.err.Error() }

// outcome is what one attempt came to.
type outcome struct {
	err error // nil, a *callerError or an *Error
	// again: the attempt may be repeated, by the operation's policy if its
	// effect is unknown.
	again   bool
	unknown bool          // the request was sent and may have had its effect
	pause   time.Duration // what the service asks to wait
	stalled bool
	missing bool // an optional operation was answered with 404
}

// call runs op and reads its answer. params are in the table's order.
func (c *Client) call(ctx context.Context, op *Operation, want func() reading, params ...string) error {
	_, err := c.do(ctx, &request{op: op, params: params, want: want})
	return err
}

// attempt sends the request once.
func (c *Client) attempt(ctx context.Context, r *request) outcome {
	w := newWatch(ctx, c.stall, c.reply)
	defer w.end()
	var connected atomic.Bool
	trace := &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			connected.Store(true)
			w.taken()
		},
		WroteRequest: func(wrote httptrace.WroteRequestInfo) {
			if r.bulk == nil && wrote.Err == nil {
				r.sent.Add(int64(len(r.form)))
			}
			w.requestSent()
		},
	}
	req, err := c.newRequest(httptrace.WithClientTrace(w.ctx, trace), r, w)
	if err != nil {
		return c.failed(ctx, r, w, err, false)
	}
	c.counters.count(r.op.Name, OperationStats{Requests: 1})
	r.began = c.clock.Now()
	resp, err := c.http.Do(req)
	if connected.Load() && !wasReset(err) {
		c.health.answered()
	}
	if err != nil {
		return c.failed(ctx, r, w, err, connected.Load())
	}
	defer resp.Body.Close()
	w.replied()
	r.date, _ = http.ParseTime(resp.Header.Get("Date"))
	body := &download{r: resp.Body, watch: w, count: &r.got, most: maxReply(r.op)}
	if r.unchanged = r.known.confirmed(resp); r.unchanged {
		c.absences.has(r.op)
		_, _ = io.CopyN(io.Discard, body, maxHead) // so that the connection stays
		return outcome{}
	}
	if resp.StatusCode != http.StatusOK {
		return c.refusedStatus(r, resp, body)
	}
	r.validator = validatorOf(resp.Header)
	return c.readReply(ctx, r, w, resp.Header.Get("Content-Type"), body)
}

func maxReply(op *Operation) int64 {
	if op.MaxReply > 0 {
		return op.MaxReply
	}
	return DefaultMaxReply
}

// newRequest makes the POST, with a body that can be sent again. One that is
// in memory goes out together with the header.
func (c *Client) newRequest(ctx context.Context, r *request, w *watch) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.String()+r.op.Path(), bytes.NewReader(r.form))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("User-Agent", "paperfs")
	r.known.ask(req.Header)
	if r.bulk == nil {
		return req, r.finish()
	}
	req.GetBody = func() (io.ReadCloser, error) {
		b, err := r.bulk.body(r.form)
		if err != nil {
			return nil, err
		}
		return &upload{ReadCloser: b, watch: w, count: &r.sent, left: req.ContentLength, finish: r.finish}, nil
	}
	// No Expect: 100-continue: Go's servers close without waiting after an
	// early answer to such a request, and the answer is lost.
	req.ContentLength += r.bulk.length
	req.Body, err = req.GetBody()
	return req, err
}

// failed judges an attempt that brought no answer.
func (c *Client) failed(ctx context.Context, r *request, w *watch, err error, connected bool) outcome {
	o := outcome{unknown: connected, again: true}
	e := c.newError(r, Broken)
	e.Err = fmt.Errorf("the connection broke before the answer: %w", plain(err))
	var content *contentError
	var place *placeError
	switch {
	case ctx.Err() != nil:
		e.Kind, e.Err, o.again = Cancelled, ctx.Err(), false
	case errors.As(err, &content):
		e.Kind, e.Err = Local, content.err
		o.unknown, o.again = false, false
	case errors.As(err, &place):
		e.Kind, e.Err = Elsewhere, place
		o.unknown, o.again = false, false
	case !connected:
		e.Kind, e.Err = Unreachable, plain(err)
		o.again = !lasting(err)
	case w.stalled() != nil:
		e.Kind, e.Err, o.stalled = Stalled, w.stalled(), true
	case wasReset(err):
		e.Kind = Unreachable
	}
	o.err = e
	return o
}

// wasReset reports whether the other side ended a connection before the first
// byte of an answer, as what stands before a service that is away does.
func wasReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.EOF)
}

// heldBack reports whether a call sent nothing because of the budget, or
// because the service was known to be away.
func heldBack(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Kind == OverBudget || e.Kind == Unreachable)
}

// newError begins the error of a call.
func (c *Client) newError(r *request, kind Kind) *Error {
	return &Error{Op: r.op.Name, Kind: kind, Request: r.number}
}

// logCall writes the one line of a call.
func (c *Client) logCall(ctx context.Context, r *request, attempts int, began time.Time, err error) {
	c.counters.sent.Add(r.sent.Load())
	c.counters.received.Add(r.got.Load())
	switch {
	case err != nil && attempts > 0:
		c.counters.count(r.op.Name, OperationStats{Failures: 1})
	case heldBack(err):
		c.counters.count(r.op.Name, OperationStats{HeldBack: 1})
	}
	if !c.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := []slog.Attr{
		slog.String("op", r.op.Name), slog.Uint64("request", r.number), slog.Int("attempts", attempts),
		slog.Duration("duration", time.Since(began)), slog.String("code", string(r.code)),
		slog.Int64("sent", r.sent.Load()), slog.Int64("received", r.got.Load()),
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		attrs = append(attrs, slog.Int("status", e.Status), slog.String("failure", kindWords[e.Kind]))
	case r.unchanged:
		attrs = append(attrs, slog.Int("status", http.StatusPreconditionFailed))
	default:
		attrs = append(attrs, slog.Int("status", http.StatusOK))
	}
	c.log.LogAttrs(ctx, slog.LevelDebug, "call", attrs...)
}
