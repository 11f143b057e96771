package remote

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote/testrun"
	"paperfs/remote/xmlscan"
)

const (
	testUser     = "press office"
	testPassword = `s3cret&"pass/word`
)

// standIn is a service that answers as the test says, and records its requests.
type standIn struct {
	*httptest.Server
	mu       sync.Mutex
	received []received
	pauses   []time.Duration
	log      lockedBuffer
}

type received struct {
	path, body string
	kind       string // Content-Type
	length     int64  // that the request said
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// handler answers request n, counted from 0.
type handler func(n int, w http.ResponseWriter, r *http.Request)

// serve starts a stand-in, and a client that does not wait between attempts.
func serve(t testing.TB, h handler, change ...func(*Options)) (*standIn, *Client) {
	t.Helper()
	s := &standIn{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		n := len(s.received)
		s.received = append(s.received, received{r.URL.RequestURI(), string(body), r.Header.Get("Content-Type"), r.ContentLength})
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		h(n, w, r)
	}))
	t.Cleanup(s.Server.Close)
	return s, s.client(t, change...)
}

func (s *standIn) client(t testing.TB, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{BaseURL: s.URL, Username: testUser, Password: testPassword,
		Log: slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	for _, f := range change {
		f(&o)
	}
	c := testrun.Must(New(o))(t)
	t.Cleanup(c.Close)
	c.clock.AfterFunc = func(d time.Duration, f func()) func() bool {
		s.mu.Lock()
		s.pauses = append(s.pauses, d)
		s.mu.Unlock()
		go f()
		return func() bool { return true }
	}
	return c
}

// closedPort returns an address that refuses connections, and that nobody else gets meanwhile, and how it takes them.
func closedPort(t testing.TB) (address string, open func() net.Listener) {
	t.Helper()
	fd := testrun.Must(unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0))(t)
	socket := os.NewFile(uintptr(fd), "a port")
	t.Cleanup(func() { _ = socket.Close() })
	require.NoError(t, unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	bound := testrun.Must(unix.Getsockname(fd))(t)
	return fmt.Sprintf("127.0.0.1:%d", bound.(*unix.SockaddrInet4).Port), func() net.Listener {
		require.NoError(t, unix.Listen(fd, 16))
		return testrun.Must(net.FileListener(socket))(t)
	}
}

func (s *standIn) requests() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.received...)
}

// answers returns the bodies in turn, and the last one from then on.
func answers(bodies ...string) handler {
	return func(n int, w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, bodies[min(n, len(bodies)-1)])
	}
}

func result(code Code, data string) string {
	return `<?xml version="1.0" encoding="utf-8"?>` + "\r\n<result><code><![CDATA[" + string(code) +
		"]]></code><message><![CDATA[words of the service]]></message><data>" + data + "</data></result>"
}

func wrap(document string) string {
	return `<?xml version="1.0" encoding="utf-8"?><string xmlns="http://tempuri.org/">` + xmlscan.Escape(document) + `</string>`
}

// fails requires an *Error of this kind.
func fails(t testing.TB, err error, kind Kind) *Error {
	t.Helper()
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, kind, e.Kind, "%v", err)
	require.NotContains(t, err.Error(), testPassword)
	return e
}

func collect(c *Client, id int64) ([]Node, error) {
	var nodes []Node
	err := c.GetAllPapers(context.Background(), id, func(n Node) error {
		if n.Parent == 0 {
			nodes = nil // a new attempt
		}
		nodes = append(nodes, n)
		return nil
	})
	return nodes, err
}

// newServer starts a server that does not record bodies.
func newServer(t testing.TB, h http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}
