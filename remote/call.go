package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// request is one call of an operation.
type request struct {
	op     *Operation
	params []string // the table's order; "" for a bulk parameter
	want   func() reading
	bulk   *bulk

	number uint64 // of the call in this process
	form   []byte
	sent   atomic.Int64
	got    atomic.Int64
	code   Code
	// delivered: results have gone to the caller, so that no repeat may
	// deliver them again.
	delivered bool
}

// bulk is the content of an upload, measured.
type bulk struct {
	Content
	measured
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
		GotConn:      func(httptrace.GotConnInfo) { connected.Store(true) },
		WroteRequest: func(info httptrace.WroteRequestInfo) { w.requestSent() },
	}
	req, err := c.newRequest(httptrace.WithClientTrace(w.ctx, trace), r, w)
	if err != nil {
		return c.failed(ctx, r, w, err, false)
	}
	c.counters.count(r.op.Name, 1, 0)
	resp, err := c.http.Do(req)
	if err != nil {
		return c.failed(ctx, r, w, err, connected.Load())
	}
	defer resp.Body.Close()
	w.replied()
	c.health.answered()
	body := &download{r: resp.Body, watch: w, count: &r.got, most: maxReply(r.op)}
	if resp.StatusCode != http.StatusOK {
		return c.refusedStatus(r, resp, body)
	}
	return c.readReply(ctx, r, w, resp.Header.Get("Content-Type"), body)
}

func maxReply(op *Operation) int64 {
	if op.MaxReply > 0 {
		return op.MaxReply
	}
	return DefaultMaxReply
}

// newRequest makes the POST, with a body that can be sent again.
func (c *Client) newRequest(ctx context.Context, r *request, w *watch) (*http.Request, error) {
	body := func() (io.ReadCloser, error) {
		var rc io.ReadCloser = io.NopCloser(bytes.NewReader(r.form))
		if r.bulk != nil {
			b, err := newBulkBody(r.form, r.bulk.Content, r.bulk.measured)
			if err != nil {
				return nil, err
			}
			rc = b
		}
		return &upload{ReadCloser: rc, watch: w, count: &r.sent}, nil
	}
	first, err := body()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.String()+r.op.Path(), first)
	if err != nil {
		first.Close()
		return nil, err
	}
	req.GetBody = body
	req.ContentLength = int64(len(r.form))
	if r.bulk != nil {
		// No Expect: 100-continue: Go's servers close without waiting after an
		// early answer to such a request, and the answer is lost.
		req.ContentLength += r.bulk.length
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("User-Agent", "paperfs")
	return req, nil
}

// failed judges an attempt that brought no answer.
func (c *Client) failed(ctx context.Context, r *request, w *watch, err error, connected bool) outcome {
	o := outcome{unknown: connected, again: true}
	e := c.newError(r, Broken)
	e.Err = plain(err)
	var content *contentError
	switch {
	case ctx.Err() != nil:
		e.Kind, e.Err, o.again = Cancelled, ctx.Err(), false
	case errors.As(err, &content):
		e.Kind, e.Err = Local, content.err
		o.unknown, o.again = false, false
	case !connected:
		e.Kind = Unreachable
		o.again = !lasting(err)
	case w.stalled() != nil:
		e.Kind, e.Err, o.stalled = Stalled, w.stalled(), true
	}
	o.err = e
	return o
}

// readReply reads an answer with status 200 and judges it.
func (c *Client) readReply(ctx context.Context, r *request, w *watch, contentType string, body io.Reader) outcome {
	var want reading
	if r.want != nil {
		want = r.want()
	}
	head := &record{most: maxHead}
	if want.unparsed != nil {
		head.most = maxUnparsed
	}
	raw := io.TeeReader(body, head)
	text, err := decoded(raw, contentType)
	var a answer
	if err == nil {
		a, err = readAnswer(text, want)
	}
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		a, err = unparsedAnswer(raw, head, want, err)
		want.check = nil
	}
	r.code = Code(c.mask(string(a.code)))
	switch {
	case err != nil:
		return c.brokenReply(ctx, r, w, raw, head, err)
	case a.code != Success:
		e := c.newError(r, Refused)
		e.Code, e.Message = Code(c.mask(string(a.code))), c.excerpt([]byte(a.words()), maxMessage)
		return outcome{err: e, again: a.code == SearchTemporarilyUnavailable}
	case want.check != nil:
		if err := want.check(); err != nil {
			return c.brokenReply(ctx, r, w, raw, head, err)
		}
	}
	return outcome{}
}

// maxUnparsed bounds an answer that is taken though it is not well-formed.
const maxUnparsed = 64 << 20

// unparsedAnswer takes what it can of an answer that is not well-formed: a
// failure by its code, a success as the bytes received if the method wants
// them and none is missing.
func unparsedAnswer(raw io.Reader, head *record, want reading, syntax error) (answer, error) {
	code := headCode(head.data[:min(len(head.data), maxHead)])
	if code == "" || code == Success && want.unparsed == nil {
		return answer{}, syntax
	}
	if code != Success {
		return answer{code: code}, nil
	}
	if _, err := io.Copy(io.Discard, raw); err != nil {
		return answer{}, err
	}
	if len(head.data) == maxUnparsed {
		return answer{}, syntax
	}
	if !endsWhole(head.data) {
		return answer{}, errTruncated
	}
	want.unparsed(head.data)
	return answer{code: code}, nil
}

// brokenReply judges an answer that could not be read or understood.
func (c *Client) brokenReply(ctx context.Context, r *request, w *watch, raw io.Reader, head *record, err error) outcome {
	var caller *callerError
	if errors.As(err, &caller) {
		return outcome{err: caller}
	}
	o := outcome{unknown: true}
	e := c.newError(r, Broken)
	e.Err = err
	var lost *readError
	switch {
	case ctx.Err() != nil:
		e.Kind, e.Err = Cancelled, ctx.Err()
	case w.stalled() != nil:
		e.Kind, e.Err, o.again, o.stalled = Stalled, w.stalled(), true, true
	case errors.As(err, &lost), errors.Is(err, errTruncated), errors.Is(err, errEmpty):
		o.again = true
	case looksLikeHTML(head.data):
		e.Message = "the answer is an HTML page: " + c.headOf(raw, head)
	case !looksLikeXML(head.data):
		e.Message = "the answer is not XML: " + c.headOf(raw, head)
	}
	if text := e.Err.Error(); e.Message == "" {
		if e.Message = c.mask(text); e.Message != text {
			e.Err = nil
		}
	}
	o.err = e
	return o
}

// refusedStatus judges an answer with another status than 200 (contract, 1.8).
func (c *Client) refusedStatus(r *request, resp *http.Response, body io.Reader) outcome {
	head, _ := io.ReadAll(io.LimitReader(body, maxHead))
	e := c.newError(r, Status)
	e.Status, e.Message = resp.StatusCode, c.excerpt(head, maxExcerpt)
	o := outcome{err: e}
	switch code := resp.StatusCode; {
	case code == http.StatusRequestEntityTooLarge:
		e.Kind = TooLarge
	case code == http.StatusTooManyRequests:
		e.Kind = Throttled
		o.again, o.pause = true, c.retryAfter(resp)
		if r.op != fetching {
			c.limiter.hold(c.clock.now().Add(o.pause))
		}
	case r.op.Extended && (code == http.StatusNotFound || code == http.StatusInternalServerError && bytes.Contains(head, []byte("method name is not valid"))):
		c.notOffered(r.op)
		e.Kind, e.Status, e.Message = NotOffered, 0, ""
	case code == http.StatusBadGateway, code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		o.again, o.unknown, o.pause = true, true, c.retryAfter(resp)
	case code >= 300 && code < 400:
		e.Message = "the service redirects to " + c.excerpt([]byte(resp.Header.Get("Location")), maxExcerpt) + ", which is not followed: correct its address"
	case code >= 500:
		o.unknown = true
	}
	return o
}

// retryAfter reads the header of that name, in seconds or as a date.
func (c *Client) retryAfter(resp *http.Response) time.Duration {
	value := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if seconds, err := strconv.Atoi(value); err == nil && seconds > 0 {
		return min(time.Duration(seconds)*time.Second, time.Hour)
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(c.clock.now()), 0), time.Hour)
	}
	return 0
}

// newError begins the error of a call.
func (c *Client) newError(r *request, kind Kind) *Error {
	return &Error{Op: r.op.Name, Kind: kind, Request: r.number}
}

// logCall writes the one line of a call.
func (c *Client) logCall(ctx context.Context, r *request, attempts int, began time.Time, err error) {
	c.counters.sent.Add(r.sent.Load())
	c.counters.received.Add(r.got.Load())
	if err != nil {
		c.counters.count(r.op.Name, 0, 1)
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
	if errors.As(err, &e) {
		attrs = append(attrs, slog.Int("status", e.Status), slog.String("failure", kindWords[e.Kind]))
	} else {
		attrs = append(attrs, slog.Int("status", http.StatusOK))
	}
	c.log.LogAttrs(ctx, slog.LevelDebug, "call", attrs...)
}
