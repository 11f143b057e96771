package servicetest

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"paperfs/remote"
)

// fault is applied to the next calls of an operation.
type fault struct {
	op   *remote.Operation
	left int // how many more calls it applies to; negative: all

	request func(http.ResponseWriter, *http.Request) bool // true: it answered, the call is not forwarded
	reply   func(*http.Response) error                    // an error breaks the connection without a reply
	release func()
}

type faultsKey struct{}

func (p *Proxy) alterReply(r *http.Response) error {
	if offers := r.Header.Get(remote.OffersHeader); !p.tells.Load() && offers != "" {
		words := strings.Split(offers, ", ")
		r.Header.Set(remote.OffersHeader, strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == remote.OfferEvents }), ", "))
	}
	faults, _ := r.Request.Context().Value(faultsKey{}).([]*fault)
	for _, f := range faults {
		if f.reply == nil {
			continue
		}
		if err := f.reply(r); err != nil {
			return err
		}
	}
	return nil
}

func (p *Proxy) add(f *fault) {
	p.mu.Lock()
	p.faults = append(p.faults, f)
	p.mu.Unlock()
}

// Heal removes all faults and releases held calls.
func (p *Proxy) Heal() {
	p.mu.Lock()
	faults := p.faults
	p.faults = nil
	p.mu.Unlock()
	for _, f := range faults {
		if f.release != nil {
			f.release()
		}
	}
}

// Fail answers the next n calls (all if n is negative) with an HTTP status, without the service.
func (p *Proxy) Fail(op *remote.Operation, n, status int) {
	p.add(&fault{op: op, left: n, request: func(w http.ResponseWriter, r *http.Request) bool {
		http.Error(w, http.StatusText(status), status)
		return true
	}})
}

// Cut forwards the next n calls, but breaks the connection after that many bytes of the reply's
// body. With 0 nothing of the reply arrives.
func (p *Proxy) Cut(op *remote.Operation, n int, afterBytes int64) {
	p.add(&fault{op: op, left: n, reply: func(r *http.Response) error {
		if afterBytes == 0 {
			r.Body.Close()
			return errCut
		}
		r.Body = &cutBody{ReadCloser: r.Body, left: afterBytes}
		return nil
	}})
}

// CutRequest breaks the connection of the next n calls after that many bytes of the request's
// body. It does not forward them.
func (p *Proxy) CutRequest(op *remote.Operation, n int, afterBytes int64) {
	p.add(&fault{op: op, left: n, request: func(_ http.ResponseWriter, r *http.Request) bool {
		io.CopyN(io.Discard, r.Body, afterBytes)
		panic(http.ErrAbortHandler)
	}})
}

// errCut ends a connection in the middle of a reply.
var errCut = io.ErrUnexpectedEOF

type cutBody struct {
	io.ReadCloser
	left int64
}

func (b *cutBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, errCut
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// Freeze holds the calls of an operation, without forwarding them, until release is called or the
// client disconnects. They count when they arrive.
func (p *Proxy) Freeze(op *remote.Operation) (release func()) {
	held := make(chan struct{})
	f := &fault{op: op, left: -1, release: sync.OnceFunc(func() { close(held) })}
	f.request = func(_ http.ResponseWriter, r *http.Request) bool {
		select {
		case <-held:
		case <-r.Context().Done():
		}
		return false
	}
	p.add(f)
	return f.release
}

// Delay delays every call of an operation before it is forwarded.
func (p *Proxy) Delay(op *remote.Operation, d time.Duration) {
	p.add(&fault{op: op, left: -1, request: func(_ http.ResponseWriter, r *http.Request) bool {
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
		return false
	}})
}

// Garble forwards every call of an operation but replaces the body of the answer.
func (p *Proxy) Garble(op *remote.Operation, body string) {
	p.add(&fault{op: op, left: -1, reply: func(r *http.Response) error {
		r.Body.Close()
		r.Body = io.NopCloser(strings.NewReader(body))
		r.ContentLength = int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		r.Header.Del("Content-Encoding")
		return nil
	}})
}

// Alter applies a function to every answer of an operation before it is passed on.
func (p *Proxy) Alter(op *remote.Operation, change func(*http.Response)) {
	p.add(&fault{op: op, left: -1, reply: func(r *http.Response) error {
		change(r)
		return nil
	}})
}

// Answer passes every call of an operation to a function first; true means that the function
// answered and the call is not forwarded.
func (p *Proxy) Answer(op *remote.Operation, answer func(http.ResponseWriter, *http.Request) bool) {
	p.add(&fault{op: op, left: -1, request: answer})
}
