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
	"paperfs/remote/service/call"
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

// fileHeader says that a file has the request's content. Its value is the number of the request. In requests over the
// network it has no effect.
const fileHeader = "Paperfs-Content-File"

// RoundTrip implements http.RoundTripper.
func (p *inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	body, ok := r.Body.(remote.PlainBody)
	if !ok {
		return p.http.RoundTrip(r)
	}
	f, sum := body.File()
	if f == nil {
		return p.http.RoundTrip(r)
	}
	number := strconv.FormatUint(p.sent.Add(1), 10)
	p.files.Store(number, &call.ContentFile{File: f, SHA256: sum})
	defer p.files.Delete(number)
	sent := r.WithContext(r.Context()) // copies the request
	sent.Header = r.Header.Clone()
	sent.Header.Set(fileHeader, number)
	return p.http.RoundTrip(sent)
}

// toService returns a handler that tells the service about the file that has the content of a request.
func (p *inProcess) toService(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if file, ok := p.files.Load(r.Header.Get(fileHeader)); ok {
			r = r.WithContext(call.WithContentFile(r.Context(), file.(*call.ContentFile)))
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
