package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"
)

// fetching is the operation that errors, the log and Stats name for Download.
var fetching = &Operation{Name: "Download"}

// Download reads a file or a page image from an address in an answer, from a byte offset
// on. The address may be at the service's own origin, at Options.ContentHosts, or, by
// https, at other hosts with a public address. Download sends no credentials, follows
// redirects only on the same host, and does not count against the request limit. Errors
// of the reader are *Error as well; bytes that were read before an error are good.
func (c *Client) Download(ctx context.Context, address string, offset int64) (io.ReadCloser, error) {
	r := &request{op: fetching, number: c.requests.Add(1)}
	began := time.Now()
	target, err := c.downloadURL(address)
	if err != nil {
		e := c.newError(r, Local)
		e.Err = err
		return nil, e
	}
	c.underWay.begin(r, c.clock.Now())
	defer c.underWay.end(r)
	plan := newPlan(fetching)
	for {
		c.underWay.reach(r, ForReply, time.Time{})
		body, o := c.open(ctx, r, target, offset)
		last, pause := plan.judge(o, c.jitter())
		if o.err == nil {
			c.logCall(ctx, r, plan.attempts, began, nil)
			return body, nil
		}
		if !last && c.pause(ctx, r, pause) == nil {
			continue
		}
		c.logCall(ctx, r, plan.attempts, began, o.err)
		return nil, o.err
	}
}

func (c *Client) downloadURL(address string) (string, error) {
	u, err := c.base.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return "", errors.New("the address that the service gave is not an http or https address")
	}
	u.Fragment = ""
	return u.String(), nil
}

// open begins a download.
func (c *Client) open(ctx context.Context, r *request, target string, offset int64) (io.ReadCloser, outcome) {
	w := newWatch(ctx, c.stall, c.reply)
	var connected atomic.Bool
	trace := &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { connected.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) { w.requestSent() },
	}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(w.ctx, trace), http.MethodGet, target, nil)
	if err != nil {
		w.end()
		return nil, c.failed(ctx, r, w, err, false)
	}
	// Compression would change what the offset counts.
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "paperfs")
	if offset > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	c.counters.count(r.op.Name, OperationStats{Requests: 1})
	resp, err := c.downloads.Do(req)
	if err != nil {
		o := c.failed(ctx, r, w, err, connected.Load())
		w.end()
		return nil, o
	}
	w.replied()
	b := &downloadBody{client: c, request: r, ctx: ctx, watch: w, body: resp.Body}
	b.download = &download{r: resp.Body, watch: w, count: &c.counters.received, most: -1}
	if o := b.position(resp, offset); o.err != nil {
		b.Close()
		return nil, o
	}
	return b, outcome{}
}

// downloadBody is the content of a download under way.
type downloadBody struct {
	client   *Client
	request  *request
	ctx      context.Context // the caller's
	watch    *watch
	body     io.Closer
	download *download
	ended    bool
}

// position checks the answer and goes to the offset.
func (b *downloadBody) position(resp *http.Response, offset int64) outcome {
	switch resp.StatusCode {
	case http.StatusOK:
		_, err := io.CopyN(io.Discard, b, offset)
		if err == io.EOF {
			b.ended = true // the content is no longer than the offset
			return outcome{}
		}
		return outcome{err: err, again: err != nil}
	case http.StatusPartialContent:
		if got := resp.Header.Get("Content-Range"); !strings.HasPrefix(got, fmt.Sprintf("bytes %d-", offset)) {
			e := b.client.newError(b.request, Broken)
			e.Message = "the answer holds another part of the file than was asked for"
			return outcome{err: e}
		}
		return outcome{}
	case http.StatusRequestedRangeNotSatisfiable:
		if resp.Header.Get("Content-Range") == fmt.Sprintf("bytes */%d", offset) {
			b.ended = true
			return outcome{}
		}
	}
	o := b.client.refusedStatus(b.request, resp, b.download)
	var e *Error
	if errors.As(o.err, &e) && e.Kind == TooLarge {
		e.Kind = Status
	}
	return o
}

func (b *downloadBody) Read(p []byte) (int, error) {
	if b.ended {
		return 0, io.EOF
	}
	n, err := b.download.Read(p)
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
	b.watch.end()
	return b.body.Close()
}
