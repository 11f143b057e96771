package remote

import (
	"bytes"
	"cmp"
	"context"
	crand "crypto/rand"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"paperfs/remote/ratelimit"
)

// This file is one request from top to bottom: admit, prepare, await, attempt (send and
// receive), finish. reply.go and noreply.go classify the outcome of an attempt; retry.go
// decides whether another one follows.

// call runs op and reads its answer. params are in the table's order.
func (c *Client) call(ctx context.Context, op *Operation, want func() reading, params ...string) error {
	_, err := c.do(ctx, &request{op: op, params: params, want: want})
	return err
}

// do makes attempts until one succeeds or the policy of the operation ends.
// repeated: an attempt before the last one may have had its effect.
func (c *Client) do(ctx context.Context, r *request) (repeated bool, err error) {
	if r.op.Changes && c.mayChange != nil {
		if err := c.mayChange(); err != nil {
			return false, err
		}
	}
	ctx, stop := c.until(ctx)
	defer stop()
	r.number = c.requests.Add(1)
	c.underCondition(ctx, r)
	plan := c.newPlan(r.op)
	defer func() { c.logCall(ctx, r, plan.attempts, plan.began, err) }()
	c.underWay.begin(r, c.clock.Now())
	defer c.underWay.end(r)
	probe, err := c.admit(r)
	if err != nil {
		return false, err
	}
	if probe {
		defer c.health.leave()
	}
	for {
		if err := c.prepare(ctx, r); err != nil {
			return repeated, plan.settle(err)
		}
		if err := c.await(ctx, r); err != nil {
			return repeated, plan.settle(err)
		}
		o := c.attempt(ctx, r)
		cut := r.cutShort(c, &o)
		if o.rawRefused && !cut {
			continue // once more, as a form: nothing was received
		}
		if !r.isHeld() || o.err == nil {
			c.health.note(o.err, true)
		}
		if r.op.Changes && o.unknown && !cut {
			c.rename()
		}
		if r.op.Changes && r.op.Group == UploadFile.Group {
			c.mediaChanged.Store(new(time.Now()))
			if room := c.room.Load(); room != nil && r.op != UploadFile {
				c.room.Store(&Room{Left: room.Left})
			}
		}
		last, pause := plan.judge(o, c.jitter())
		if last || probe && unreachable(o.err) || enough(ctx, plan.attempts) {
			return repeated, plan.settle(c.finish(ctx, r, o))
		}
		repeated = repeated || o.unknown
		if err := c.pause(ctx, r, pause); err != nil {
			return repeated, plan.settle(c.cancelled(r, err))
		}
	}
}

// admit refuses a call that would fail anyway. A probe is the call that checks whether a
// service that was away is back.
func (c *Client) admit(r *request) (probe bool, err error) {
	if !c.offered(r.op) {
		return false, c.newError(r, NotOffered)
	}
	ok := c.health.reachable()
	if !r.isHeld() {
		ok, probe = c.health.admit()
	}
	if !ok {
		e := c.newError(r, Unreachable)
		e.Err = errAway
		return false, e
	}
	return probe, nil
}

var errAway = errors.New("it was away a moment ago; the next attempt is in a few seconds")

// prepare writes the body of the next attempt, up to content that is streamed. Content goes raw where the last answer
// offered that, else in a form, which says its length.
func (c *Client) prepare(ctx context.Context, r *request) error {
	r.finish, r.sending, r.raw, r.length = r.bulk.finisher(), r.bulk.watcher(), "", 0
	if r.bulk == nil {
		r.body = c.form(r)
		return nil
	}
	r.bulk.settle()
	offers, _ := c.Offers()
	switch {
	case offers.Raw:
		c.prepareRaw(r)
	case r.bulk.growing != nil && r.bulk.growing.GiveUp(): // nobody knows how long its form will be
		return c.unread(ctx, r, errUnfinished)
	default:
		r.bulk.settle()
		if err := c.prepareForm(ctx, r); err != nil {
			return c.unread(ctx, r, err)
		}
	}
	return nil
}

func (c *Client) prepareRaw(r *request) {
	boundary := crand.Text()
	r.raw = "multipart/form-data; boundary=" + boundary
	r.body, r.tail = c.multipart(r, boundary)
	switch {
	case r.bulk.growing != nil:
		r.length = -1
	case r.bulk.whole != nil:
		r.body = slices.Concat(r.body, r.bulk.whole, r.tail)
	default:
		r.length = int64(len(r.body)+len(r.tail)) + r.bulk.size
	}
}

func (c *Client) prepareForm(ctx context.Context, r *request) error {
	r.body, r.tail = c.form(r), nil
	if r.bulk.whole != nil {
		b := blocks.Get().(*block)
		defer blocks.Put(b)
		r.body = b.appendBase64(r.body, r.bulk.whole, c.escaping)
		return nil
	}
	err := r.bulk.countForm(ctx, c.escaping)
	r.length = int64(len(r.body)) + r.bulk.inForm
	return err
}

// await waits for the request budget.
func (c *Client) await(ctx context.Context, r *request) error {
	if t, _ := ctx.Value(turnKey{}).(*turn); t.takes(r.op) {
		c.underWay.reach(r, ForReply, time.Time{})
		return nil
	}
	class, most := ratelimit.Interactive, c.maxWait
	if IsBackground(ctx) {
		class = ratelimit.Background
	}
	if r.op.Changes || IsPatient(ctx) {
		most = 0
	}
	c.underWay.reach(r, ForBudget, time.Time{})
	err := c.limiter.Acquire(ctx, class, most)
	if err == nil {
		c.underWay.reach(r, ForReply, time.Time{})
		return nil
	}
	e := c.cancelled(r, err)
	var tooLong *ratelimit.WaitError
	if errors.As(err, &tooLong) {
		e.Kind = OverBudget
	}
	return e
}

// attempt sends the request once and reads the answer.
func (c *Client) attempt(ctx context.Context, r *request) outcome {
	w := newWatch(ctx, c.stall, c.reply)
	defer w.end()
	resp, connected, err := c.send(r, w)
	if err != nil {
		return c.failed(ctx, r, w, err, connected)
	}
	defer resp.Body.Close()
	return c.receive(ctx, r, w, resp)
}

// send returns the answer when its header has arrived. connected reports whether there
// was a connection: if so, the service may have received the request.
func (c *Client) send(r *request, w *watch) (resp *http.Response, connected bool, err error) {
	r.began = c.clock.Now()
	// The answer may come before the goroutine that wrote the request goes on: what was answered was sent.
	allSent := sync.OnceFunc(func() {
		if r.length == 0 {
			r.sent.Add(int64(len(r.body)))
			if r.bulk != nil {
				r.sending(r.bulk.size)
			}
		}
	})
	var got atomic.Bool
	trace := &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			got.Store(true)
			w.taken()
		},
		WroteRequest: func(wrote httptrace.WroteRequestInfo) {
			if wrote.Err == nil {
				allSent()
			}
			w.requestSent()
		},
	}
	r.sending(0)
	req, err := c.newRequest(httptrace.WithClientTrace(w.ctx, trace), r, w)
	if err != nil {
		return nil, false, err
	}
	c.counters.count(r.op.Name, OperationStats{Requests: 1})
	if resp, err = c.http.Do(req); err == nil {
		allSent()
	}
	if connected = got.Load(); connected && !wasReset(err) {
		c.health.answered()
	}
	return resp, connected, err
}

// newRequest returns the POST, with a body that can be sent again. A body in memory goes
// out together with the header.
func (c *Client) newRequest(ctx context.Context, r *request, w *watch) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.String()+r.op.Path(), bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", cmp.Or(r.raw, "application/x-www-form-urlencoded"))
	req.Header.Set("User-Agent", "paperfs")
	r.known.ask(req.Header)
	if offers, _ := c.Offers(); r.op.Changes && offers.Events {
		req.Header.Set(ClientHeader, c.Name())
	}
	if r.op == GetTree || r.op == GetAllPapers || r.op.takesVersion() { // whose answers may have versions
		req.Header.Add("Prefer", PreferVersions)
	}
	if r.length == 0 {
		return req, r.finish()
	}
	req.ContentLength = r.length
	req.GetBody = func() (io.ReadCloser, error) {
		encode, left := escaping(nil), r.length
		if r.raw == "" {
			encode = c.escaping
		}
		if left < 0 { // the content itself keeps its last bytes back
			left = math.MaxInt64
		}
		b, err := r.bulk.body(r.body, r.tail, encode, r.bulk.inForm)
		if err != nil {
			return nil, err
		}
		return &upload{bulkBody: b, watch: w, count: &r.sent, left: left, finish: r.finish}, nil
	}
	// No Expect: 100-continue: Go's servers close without waiting after an
	// early answer to such a request, and the answer is lost.
	req.Body, err = req.GetBody()
	return req, err
}

// receive reads the answer.
func (c *Client) receive(ctx context.Context, r *request, w *watch, resp *http.Response) outcome {
	w.replied()
	r.date, _ = http.ParseTime(resp.Header.Get("Date"))
	body := &download{r: resp.Body, watch: w, count: &r.got, most: cmp.Or(max(r.op.MaxReply, 0), DefaultMaxReply)}
	if r.unchanged = r.known.confirmed(resp); r.unchanged {
		c.absences.has(r.op)
		c.noteOffers(r, resp.Header)
		_, _ = io.CopyN(io.Discard, body, maxHead) // so that the connection stays
		return outcome{}
	}
	if resp.StatusCode != http.StatusOK {
		return c.refusedStatus(r, resp, body)
	}
	r.validator = validatorOf(resp.Header)
	return c.readReply(ctx, r, w, resp.Header, body)
}

// finish records what the last attempt says about the service and the operation, and
// returns the error of the call.
func (c *Client) finish(ctx context.Context, r *request, o outcome) error {
	// A reset may be due to this request's body, and a check must be able to follow it.
	if unreachable(o.err) && !(o.unknown && r.op.Changes) && !r.isHeld() {
		c.health.failed()
	}
	if o.missing && c.missing(ctx, r.op) {
		return c.newError(r, NotOffered)
	}
	return o.err
}

func unreachable(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == Unreachable
}
