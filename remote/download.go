package remote

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// fetching is the operation that errors, the log and Stats name for Download.
var fetching = &Operation{Name: "Download"}

// Download reads a part of a file or of a page image from an address in an answer. The
// address may be at the service's own origin, at Options.ContentHosts, or, by https, at other
// hosts with a public address. Download sends no credentials, follows redirects only on the
// same host, and does not count against the request limit. An answer from the service's own
// origin says that a service that was away is back, and a failure that it is away.
// Errors of the reader are *Error as well; bytes that were read before an error are good. An
// error of Kind Superseded means that the service has another version than part.Tag.
func (c *Client) Download(ctx context.Context, address string, part Part) (*Received, error) {
	r := &request{op: fetching, number: c.requests.Add(1)}
	target, err := c.downloadURL(address)
	if err != nil {
		e := c.newError(r, Local)
		e.Err = err
		return nil, e
	}
	return c.fetch(ctx, r, target, part)
}

// fetch asks until there is an answer, or the policy of the operation ends.
func (c *Client) fetch(ctx context.Context, r *request, target *url.URL, part Part) (*Received, error) {
	began, own := time.Now(), sameOrigin(c.base, target)
	c.underWay.begin(r, c.clock.Now())
	defer c.underWay.end(r)
	plan := c.newPlan(r.op)
	plan.waited = own && plan.waited
	for {
		c.underWay.reach(r, ForReply, time.Time{})
		content, o := c.open(ctx, r, target.String(), part)
		if own {
			c.health.note(o.err, r.op != fetching)
		}
		last, pause := plan.judge(o, c.jitter())
		if last && own && unreachable(o.err) {
			c.health.failed()
		}
		if o.err == nil {
			c.logCall(ctx, r, plan.attempts, began, nil)
			return content, nil
		}
		if !last && c.pause(ctx, r, pause) == nil {
			continue
		}
		c.logCall(ctx, r, plan.attempts, began, o.err)
		return nil, o.err
	}
}

func (c *Client) downloadURL(address string) (*url.URL, error) {
	u, err := c.base.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, errors.New("the address that the service gave is not an http or https address")
	}
	u.Fragment = ""
	return u, nil
}

// open begins a download.
func (c *Client) open(ctx context.Context, r *request, target string, part Part) (*Received, outcome) {
	ctx, stop := c.until(ctx)
	w := newWatch(ctx, c.stall, c.reply)
	end := func() {
		w.end()
		stop()
	}
	r.began = c.clock.Now()
	var connected atomic.Bool
	trace := &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { connected.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) { w.requestSent() },
	}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(w.ctx, trace), http.MethodGet, target, nil)
	if err == nil && r.body != nil {
		req, err = c.newRequest(req.Context(), r, w)
	}
	var resp *http.Response
	if err == nil {
		part.ask(req.Header)
		req.Header.Set("User-Agent", "paperfs")
		c.counters.count(r.op.Name, OperationStats{Requests: 1})
		resp, err = c.downloads.Do(req)
	}
	if err != nil {
		o := c.failed(ctx, r, w, err, connected.Load())
		end()
		return nil, o
	}
	if sameOrigin(c.base, resp.Request.URL) {
		c.health.answered()
	}
	w.replied()
	b := &downloadBody{client: c, request: r, ctx: ctx, watch: w, end: end, body: resp.Body,
		download: &download{r: resp.Body, watch: w, count: &c.counters.received, most: -1}}
	if r.op != fetching && resp.StatusCode == http.StatusOK && resp.Header.Get("Content-Type") != "application/octet-stream" {
		defer b.Close()
		o := c.readReply(ctx, r, w, resp.Header, b.download)
		if o.err == nil { // an envelope without a failure, and no content
			o.err = c.newError(r, Broken)
		}
		return nil, o
	}
	content, o := b.position(resp, part)
	if o.err != nil {
		b.Close()
		return nil, o
	}
	return content, outcome{}
}

// downloadBody is the content of a download under way.
type downloadBody struct {
	client   *Client
	request  *request
	ctx      context.Context // the caller's, and the client's
	watch    *watch
	end      func() // of watch and ctx
	body     io.Closer
	download *download
	want     int64 // bytes that the answer has to give; -1: as many as come
}

// position checks the answer and goes to the first byte of the part.
func (b *downloadBody) position(resp *http.Response, part Part) (*Received, outcome) {
	offers, _ := b.client.Offers()
	content := &Received{ReadCloser: b, Size: -1, Tag: strongTag(resp.Header), Summed: offers.Versions}
	b.want = -1
	given := resp.StatusCode == http.StatusOK || resp.StatusCode == http.StatusPartialContent
	if part.Tag != "" && (resp.StatusCode == http.StatusPreconditionFailed || given && content.Tag != part.Tag) { // not all servers know If-Match
		return nil, outcome{err: b.client.newError(b.request, Superseded)}
	}
	switch resp.StatusCode {
	case http.StatusOK:
		content.Size = resp.ContentLength
		_, err := io.CopyN(io.Discard, b, part.From)
		if err == io.EOF {
			content.Size, b.want = b.download.got, 0 // the content is no longer than the offset
			return content, outcome{}
		}
		return content, outcome{err: err, again: err != nil}
	case http.StatusPartialContent:
		length, size, ok := part.given(resp.Header.Get("Content-Range"))
		if !ok {
			e := b.client.newError(b.request, Broken)
			e.Message = "the answer holds another part of the file than was asked for"
			return nil, outcome{err: e}
		}
		content.Size, content.Ranges, b.want, b.download.most = size, true, length, length
		return content, outcome{}
	case http.StatusRequestedRangeNotSatisfiable:
		if size, ok := part.behind(resp.Header.Get("Content-Range")); ok {
			content.Size, content.Ranges, b.want = size, true, 0
			return content, outcome{}
		}
	}
	o := b.client.refusedStatus(b.request, resp, b.download)
	if e, ok := errors.AsType[*Error](o.err); ok && e.Kind == TooLarge {
		e.Kind = Status
	}
	return nil, o
}

func (b *downloadBody) Read(p []byte) (int, error) {
	if b.want == 0 {
		return 0, io.EOF
	}
	n, err := b.download.Read(p)
	if err == io.EOF && b.download.got < b.want {
		err = broken("the answer ends after %d of %d bytes", b.download.got, b.want)
	}
	if err == nil || err == io.EOF {
		return n, err
	}
	e := b.client.newError(b.request, Broken)
	e.Err = plain(err)
	switch {
	case b.ctx.Err() != nil:
		e.Kind, e.Err = Cancelled, b.ctx.Err()
	case b.watch.stalled() != nil:
		e.Kind, e.Err = Stalled, b.watch.stalled()
	}
	return n, e
}

func (b *downloadBody) Close() error {
	b.end()
	return b.body.Close()
}
