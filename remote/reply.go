package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"paperfs/remote/xmlscan"
)

// readReply reads and classifies an answer with status 200.
func (c *Client) readReply(ctx context.Context, r *request, w *watch, h http.Header, body io.Reader) outcome {
	var want reading
	if r.want != nil {
		want = r.want()
	}
	head := &record{most: maxHead}
	if want.unparsed != nil {
		head.most = maxUnparsed
	}
	if want.offers != nil {
		*want.offers = parseOffers(h.Values(OffersHeader))
	}
	raw := io.TeeReader(body, head)
	text, err := xmlscan.Decode(raw, h.Get("Content-Type"))
	var a answer
	if err == nil {
		a, err = readAnswer(text, want)
	}
	var syntax *xmlscan.SyntaxError
	if errors.As(err, &syntax) {
		a, err = unparsedAnswer(raw, head, want, err)
		want.check = nil
	}
	r.code = Code(c.mask(string(a.code)))
	if err == nil {
		c.absences.has(r.op)
	}
	if err == nil && a.code == Success {
		c.noteOffers(r, h)
	}
	switch {
	case err != nil:
		return c.brokenReply(ctx, r, w, raw, head, err)
	case a.code != Success:
		e := c.newError(r, Refused)
		e.Code, e.Message, e.Full = Code(c.mask(string(a.code))), c.excerpt([]byte(a.words()), maxMessage), a.full
		return outcome{err: e, again: a.code == SearchTemporarilyUnavailable}
	case want.check != nil:
		if err := want.check(); err != nil {
			return c.brokenReply(ctx, r, w, raw, head, err)
		}
	}
	return outcome{}
}

// maxUnparsed is the most bytes of a malformed answer that is accepted.
const maxUnparsed = 64 << 20

// unparsedAnswer classifies a malformed answer: a failure by its code; a success as the
// received bytes, if the method accepts them and the answer is complete.
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
		return answer{}, xmlscan.ErrTruncated
	}
	want.unparsed(head.data)
	return answer{code: code}, nil
}

// brokenReply classifies an answer that could not be read or understood.
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
	case errors.As(err, &lost), errors.Is(err, xmlscan.ErrTruncated), errors.Is(err, xmlscan.ErrEmpty):
		o.again = true
	case looksLikeHTML(head.data):
		e.Message = "the answer is an HTML page: " + c.headOf(raw, head)
	case !looksLikeXML(head.data):
		e.Message = "the answer is not XML: " + c.headOf(raw, head)
	}
	e.Foreign = e.Kind == Broken && !o.again
	if text := e.Err.Error(); e.Message == "" {
		if e.Message = c.mask(text); e.Message != text {
			e.Err = nil
		}
	}
	o.err = e
	return o
}

// refusesRaw reports whether an answer may refuse raw content for what it is: that of an older node, or of a proxy that takes
// no multipart/form-data.
func refusesRaw(resp *http.Response, head []byte) bool {
	switch resp.StatusCode {
	case http.StatusInternalServerError:
		return bytes.Contains(head, []byte("Request format is invalid"))
	case http.StatusBadRequest, http.StatusForbidden, http.StatusNotAcceptable, http.StatusUnsupportedMediaType, http.StatusNotImplemented:
		return resp.Header.Get(OffersHeader) == "" // the service says what it offers
	}
	return false
}

// refusedStatus classifies an answer with a status other than 200 (contract, 1.8).
func (c *Client) refusedStatus(r *request, resp *http.Response, body io.Reader) outcome {
	head, _ := io.ReadAll(io.LimitReader(body, maxHead))
	e := c.newError(r, Status)
	e.Status, e.Message = resp.StatusCode, c.brief(head)
	o := outcome{err: e}
	switch code := resp.StatusCode; {
	case code == http.StatusRequestEntityTooLarge:
		e.Kind = TooLarge
	case code == http.StatusTooManyRequests:
		e.Kind = Throttled
		o.again, o.pause = true, c.retryAfter(resp)
		if r.op != fetching && !r.held {
			c.limiter.Throttled(r.began, o.pause)
		}
	case r.op.Extended && code == http.StatusInternalServerError && bytes.Contains(head, []byte("method name is not valid")):
		c.absences.never(r.op)
		o.err = c.newError(r, NotOffered)
	case r.raw != "" && refusesRaw(resp, head):
		c.forms.Store(true)
		o.rawRefused = true
	case r.op.Extended && code == http.StatusNotFound:
		o.missing = true
	case code == http.StatusBadGateway, code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		o.again, o.unknown, o.pause = true, true, c.retryAfter(resp)
	case code >= 300 && code < 400:
		e.Message = "the service redirects to " + c.excerpt([]byte(resp.Header.Get("Location")), maxExcerpt) + ", which is not followed: correct its address"
	case code >= 500:
		o.unknown = true
	}
	return o
}

// longestWait is the longest pause that a service may ask for: its limit counts over a
// minute.
const longestWait = 5 * time.Minute

// retryAfter reads the header Retry-After, in seconds or as a date.
func (c *Client) retryAfter(resp *http.Response) time.Duration {
	value := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if seconds, err := strconv.Atoi(value); err == nil && seconds > 0 {
		return min(time.Duration(seconds)*time.Second, longestWait)
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(c.clock.Now()), 0), longestWait)
	}
	return 0
}
