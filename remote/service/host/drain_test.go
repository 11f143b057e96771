package host

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// caller sends requests to an address, one after the other, until a connection to it is refused.
type caller struct {
	address   string
	keeps     bool // it keeps a connection as long as it may
	sent, got *atomic.Int64
}

func (c *caller) run() {
	for {
		conn, err := net.DialTimeout("tcp", c.address, testrun.Patience())
		if err != nil {
			return
		}
		for reader := bufio.NewReader(conn); c.ask(conn, reader); {
		}
		conn.Close()
	}
}

// ask reports whether the connection may be used again.
func (c *caller) ask(conn net.Conn, reader *bufio.Reader) bool {
	c.sent.Add(1)
	_, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody")
	if err != nil {
		return false
	}
	answer, err := http.ReadResponse(reader, nil)
	if err != nil {
		return false
	}
	if text, err := io.ReadAll(answer.Body); err != nil || string(text) != "body" {
		return false
	}
	c.got.Add(1)
	return c.keeps && !answer.Close
}

// TestAStopLosesNoRequest stops servers under callers of which every other one keeps its connection.
func TestAStopLosesNoRequest(t *testing.T) {
	t.Parallel()
	var sent, got atomic.Int64
	for stops := range int64(5) {
		l := testrun.Must(Listen("127.0.0.1:0"))(t)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		ended := make(chan error, 1)
		go func() {
			ended <- Serve(ctx, t.Context(), Bounded(l, 100), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }), nil, quiet)
		}()
		var callers sync.WaitGroup
		for i := range 16 {
			c := caller{address: l.Addr().String(), keeps: i%2 == 0, sent: &sent, got: &got}
			callers.Go(c.run)
		}
		require.Eventually(t, func() bool { return got.Load() > 500*(stops+1) }, testrun.Patience(), time.Millisecond)
		stop()
		callers.Wait()
		require.NoError(t, <-ended)
	}
	require.Equal(t, sent.Load(), got.Load(), "every request that was sent was answered")
}

// noted is a listener that tells when it is closed.
type noted struct {
	net.Listener
	once   sync.Once
	closed chan struct{}
}

func (l *noted) Close() error {
	defer l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// TestAnIdleConnectionIsToldOfTheStop checks that the next request on it is answered.
func TestAnIdleConnectionIsToldOfTheStop(t *testing.T) {
	t.Parallel()
	l := testrun.Must(Listen("127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	closed := &noted{Listener: l, closed: make(chan struct{})}
	go func() { ended <- Serve(ctx, t.Context(), closed, http.NotFoundHandler(), nil, quiet) }()
	conn := dial(t, l)
	reader := bufio.NewReader(conn)
	for _, closes := range []bool{false, true} {
		testrun.Must(io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))(t)
		answer := testrun.Must(http.ReadResponse(reader, nil))(t)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, closes, answer.Close)
		stop()
		<-closed.closed
	}
	require.NoError(t, <-ended)
}
