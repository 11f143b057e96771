// Package servicetest has what tests of every layer need of a service: a service behind a real
// listener ([Fixture]), and a proxy that counts requests and makes them fail ([Proxy]).
package servicetest

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"paperfs/remote"
)

// Proxy is between a client and a service. It counts requests and makes them fail on demand. In
// all methods a nil operation means any request, including downloads. All methods may be called
// at any time.
type Proxy struct {
	URL string

	t       testing.TB
	address string // of the listener; stays the same over Down and Up
	forward *httputil.ReverseProxy
	to      atomic.Pointer[url.URL]
	tells   atomic.Bool

	mu       sync.Mutex
	close    func()   // nil while down
	port     *os.File // holds the port while down
	requests []Request
	faults   []*fault
}

// Request is a request that arrived.
type Request struct {
	Op     *remote.Operation // nil for a download or a page
	Method string
	URL    string // path and query
}

// NewProxy starts a proxy to the service at target. It ends with the test. The proxy keeps the
// Host header, so that addresses in answers lead through the proxy.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	p := &Proxy{t: t}
	p.To(target)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true // the client did not ask for it
	p.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			to := p.to.Load()
			r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host
			r.Out.Host = r.In.Host
		},
		Transport:      transport,
		FlushInterval:  -1,
		ModifyResponse: p.alterReply,
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:       log.New(io.Discard, "", 0),
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.address = listener.Addr().String()
	p.URL = "http://" + p.address + strings.TrimSuffix(p.to.Load().Path, "/")
	p.serve(listener)
	t.Cleanup(func() {
		p.Heal()
		p.shut()
		p.port.Close() // if the proxy is down
		transport.CloseIdleConnections()
	})
	return p
}

// TellChanges passes on that the service tells of changes. Without it, clients behind the proxy ask, as with a service
// that does not: what a colleague changes is then seen when a test says so, and no request is held.
func (p *Proxy) TellChanges() { p.tells.Store(true) }

// To redirects the proxy to a service at another address, for example after a restart. The base
// path stays.
func (p *Proxy) To(target string) {
	p.t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		p.t.Fatal(err)
	}
	p.to.Store(to)
}

func (p *Proxy) serve(l net.Listener) {
	server := &http.Server{Handler: p, ErrorLog: log.New(io.Discard, "", 0)}
	ended := make(chan struct{})
	p.mu.Lock()
	p.close = func() {
		server.Close()
		<-ended // the port stays in use while an Accept is returning
	}
	p.mu.Unlock()
	go func() {
		defer close(ended)
		server.Serve(l)
	}()
}

// ServeHTTP counts the request, applies the faults that match it, and forwards it.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	op := operation(r.URL.Path)
	faults := p.arrived(Request{Op: op, Method: r.Method, URL: r.URL.RequestURI()})
	for _, f := range faults {
		if f.request != nil && f.request(w, r) {
			return
		}
	}
	p.forward.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), faultsKey{}, faults)))
}

// operation returns the operation that a path names, below any base path.
func operation(path string) *remote.Operation {
	for _, op := range remote.Operations {
		if strings.HasSuffix(path, op.Path()) {
			return op
		}
	}
	return nil
}

// arrived records a request and returns the faults that apply to it.
func (p *Proxy) arrived(r Request) []*fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, r)
	var hit []*fault
	for _, f := range p.faults {
		if f.left != 0 && (f.op == nil || f.op == r.Op) {
			f.left--
			hit = append(hit, f)
		}
	}
	return hit
}

// Requests returns the requests since Reset, in order of arrival.
func (p *Proxy) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Request(nil), p.requests...)
}

// Count returns the number of calls of an operation since Reset, including those that failed or
// are held.
func (p *Proxy) Count(op *remote.Operation) int {
	return p.count(func(r Request) bool { return op == nil || r.Op == op })
}

// Total returns the number of calls of operations since Reset, without the held ones of Wait.
func (p *Proxy) Total() int {
	return p.count(func(r Request) bool { return r.Op != nil && r.Op != remote.Wait })
}

// Downloads returns the number of requests since Reset that call no operation.
func (p *Proxy) Downloads() int { return p.count(func(r Request) bool { return r.Op == nil }) }

func (p *Proxy) count(match func(Request) bool) (n int) {
	for _, r := range p.Requests() {
		if match(r) {
			n++
		}
	}
	return n
}

// Reset restarts the count. Faults stay.
func (p *Proxy) Reset() {
	p.mu.Lock()
	p.requests = nil
	p.mu.Unlock()
}

// Down closes the port and breaks every connection. New connections are refused, and no other
// process gets the port.
func (p *Proxy) Down() {
	p.t.Helper()
	if !p.shut() {
		return
	}
	port, err := bindSoon(p.address)
	if err != nil {
		p.t.Fatalf("cannot reserve the proxy's port: %v", err)
	}
	p.mu.Lock()
	p.port = port
	p.mu.Unlock()
}

// shut closes the port and breaks every connection; false if it is already closed.
func (p *Proxy) shut() bool {
	p.mu.Lock()
	end := p.close
	p.close = nil
	p.mu.Unlock()
	if end == nil {
		return false
	}
	end()
	return true
}

// Up opens the same port again.
func (p *Proxy) Up() {
	p.t.Helper()
	p.mu.Lock()
	port := p.port
	p.port = nil
	p.mu.Unlock()
	if port == nil {
		return
	}
	listener, err := listenOn(port)
	if err != nil {
		p.t.Fatalf("cannot listen on the proxy's port again: %v", err)
	}
	p.serve(listener)
}
