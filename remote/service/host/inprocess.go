package host

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"

	"paperfs/remote"
	"paperfs/remote/service"
)

// inProcess connects this process to its own service: HTTP over in-memory connections, so that
// everything that holds on the network also holds here. It saves the work of the kernel and the
// encoding of content.
type inProcess struct {
	http *http.Transport
	addr net.Addr // the service's address; the service also sees it as the caller's

	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once // closes closed

	sent  atomic.Uint64 // requests with content
	files sync.Map      // files of the content of requests under way, by the number of the request
}

func newInProcess(addr net.Addr) *inProcess {
	p := &inProcess{addr: addr, accepted: make(chan net.Conn), closed: make(chan struct{})}
	p.http = &http.Transport{DialContext: p.dial, MaxIdleConnsPerHost: 16, IdleConnTimeout: idleTimeout / 4, DisableCompression: true}
	return p
}

// plainHeader says that the request's content is neither base64 nor escaped. Its value is the number of the
// request. In requests over the network it has no effect.
const plainHeader = "Paperfs-Plain-Content"

// RoundTrip implements http.RoundTripper.
func (p *inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	body, ok := r.Body.(remote.PlainBody)
	if !ok {
		return p.http.RoundTrip(r)
	}
	number := strconv.FormatUint(p.sent.Add(1), 10)
	if f, sum := body.File(); f != nil {
		p.files.Store(number, &service.ContentFile{File: f, SHA256: sum})
		defer p.files.Delete(number)
	}
	return p.http.RoundTrip(plainRequest(r, body, number))
}

// plainRequest returns a request whose body is the raw content, however often it is sent.
func plainRequest(r *http.Request, body remote.PlainBody, number string) *http.Request {
	sent := r.WithContext(r.Context()) // copies the request
	sent.Header = r.Header.Clone()
	sent.Header.Set(plainHeader, number)
	sent.ContentLength = body.Plain()
	sent.GetBody = func() (io.ReadCloser, error) {
		again, err := r.GetBody()
		if err == nil {
			again.(remote.PlainBody).Plain()
		}
		return again, err
	}
	return sent
}

// toService returns a handler that tells the service about raw content, and about its file.
func (p *inProcess) toService(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if number := r.Header.Get(plainHeader); number != "" {
			file, _ := p.files.Load(number)
			content, _ := file.(*service.ContentFile)
			r = r.WithContext(service.PlainContent(r.Context(), content))
		}
		h.ServeHTTP(w, r)
	})
}

// dial fails like a closed port once the listener is closed.
func (p *inProcess) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.accepted <- &memoryConn{theirs, p.addr}:
		return &memoryConn{ours, p.addr}, nil
	case <-p.closed:
		return nil, &net.OpError{Op: "dial", Net: network, Addr: p.addr, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *inProcess) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener. It also closes idle connections, so that they do not delay the
// shutdown.
func (p *inProcess) Close() error {
	p.once.Do(func() { close(p.closed) })
	p.http.CloseIdleConnections()
	return nil
}

// Addr implements net.Listener.
func (p *inProcess) Addr() net.Addr { return p.addr }

// memoryConn is one end of an in-memory connection.
type memoryConn struct {
	net.Conn
	addr net.Addr // of both ends
}

func (c *memoryConn) RemoteAddr() net.Addr { return c.addr }
func (c *memoryConn) LocalAddr() net.Addr  { return c.addr }

// Write fails like a network connection when the other end is closed.
func (c *memoryConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if errors.Is(err, io.ErrClosedPipe) {
		err = syscall.EPIPE
	}
	return n, err
}
