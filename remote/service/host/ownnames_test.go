package host

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"paperfs/remote/testrun"
)

// TestOwnNames checks that the operator's address answers only to its own names.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	status := func(client *http.Client, address, host string) int {
		t.Helper()
		req := testrun.Must(http.NewRequest(http.MethodGet, address+"/metrics", nil))(t)
		req.Host = host
		resp := testrun.Must(client.Do(req))(t)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	l := testrun.Must(ListenOperator("127.0.0.1:0"))(t)
	defer ServeOperator(l, hello)() //nolint:errcheck // ends with the test
	at := "http://" + l.Addr().String()
	_, port := testrun.Must2(net.SplitHostPort(l.Addr().String()))(t)
	for _, own := range []string{"", "localhost", "LocalHost:" + port, "localhost.", "127.0.0.1", "127.0.0.1:" + port, "127.0.0.2:9", "[::1]:" + port, "::1", "[::ffff:127.0.0.1]"} {
		require.Equal(t, http.StatusOK, status(http.DefaultClient, at, own), own)
	}
	for _, foreign := range []string{"evil.example", "evil.example:" + port, "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "[::]:" + port, "0.0.0.0"} {
		require.Equal(t, http.StatusMisdirectedRequest, status(http.DefaultClient, at, foreign), foreign)
	}

	socket := filepath.Join(t.TempDir(), "s")
	l = testrun.Must(ListenOperator(socket))(t)
	defer ServeOperator(l, hello)() //nolint:errcheck // ends with the test
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	require.Equal(t, http.StatusOK, status(client, "http://operator", "operator"), "a client of a socket may use any host name")
}

// slowConn holds back everything after its first write until it is released.
type slowConn struct {
	net.Conn
	began   bool
	held    func() // called when something is held back
	release chan struct{}
}

func (c *slowConn) Write(p []byte) (int, error) {
	if c.began {
		c.held()
		<-c.release
	}
	c.began = true
	return c.Conn.Write(p)
}

func secured(conn net.Conn) *tls.Conn {
	return tls.Client(conn, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
}

// speakHTTP2 starts HTTP/2 on a connection.
func speakHTTP2(t *testing.T, secure *tls.Conn) *http2.Framer {
	testrun.Must(io.WriteString(secure, http2.ClientPreface))(t)
	f := http2.NewFramer(secure, secure)
	require.NoError(t, f.WriteSettings())
	return f
}

// awaitFrame reads up to a frame of a type.
func awaitFrame(t *testing.T, f *http2.Framer, kind http2.FrameType) {
	for {
		frame := testrun.Must(f.ReadFrame())(t)
		if frame.Header().Type == kind {
			return
		}
	}
}

func dial(t *testing.T, l net.Listener) net.Conn {
	conn := testrun.Must(net.Dial("tcp", l.Addr().String()))(t)
	t.Cleanup(func() { conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(testrun.Patience())))
	return conn
}

// TestAConnectionThatIsLateIsToldToEnd checks that an HTTP/2 connection whose handshake ends after
// the shutdown began is closed. It delays the shutdown only by the request that it sends at once.
func TestAConnectionThatIsLateIsToldToEnd(t *testing.T) {
	t.Parallel()
	certificate := testrun.Must(LoadCertificate(writeCertificate(t)))(t)
	l := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	release := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(ctx, t.Context(), l, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }), certificate, quiet)
	}()
	early := speakHTTP2(t, secured(dial(t, l)))
	awaitFrame(t, early, http2.FrameSettings)
	held := make(chan struct{})
	slow := &slowConn{Conn: dial(t, l), held: sync.OnceFunc(func() { close(held) }), release: make(chan struct{})}
	secure, shaken := secured(slow), make(chan error, 1)
	go func() { shaken <- secure.HandshakeContext(t.Context()) }()
	<-held // the server waits for the end of the handshake

	stop()
	awaitFrame(t, early, http2.FrameGoAway)
	close(slow.release)
	require.NoError(t, <-shaken)
	late := speakHTTP2(t, secure)
	var block strings.Builder
	headers := hpack.NewEncoder(&block)
	for _, h := range []hpack.HeaderField{{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: "localhost"}, {Name: ":path", Value: "/"}} {
		require.NoError(t, headers.WriteField(h))
	}
	require.NoError(t, late.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte(block.String()), EndHeaders: true, EndStream: true}))
	awaitFrame(t, late, http2.FrameGoAway)
	close(release)
	require.NoError(t, <-ended)
}
