package host

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"paperfs/remote/testrun"
)

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
