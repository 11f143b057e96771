package apitest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/host"
	"paperfs/remote/testrun"
)

// ending is a service as serve runs it, over HTTP/1.1 and over TLS with HTTP/2, until the test
// stops it.
type ending struct {
	*server
	plain, secure string // addresses
	stop          context.CancelFunc
	ended         chan error // receives the result of each listener
}

func (s *server) ending(t *testing.T) *ending {
	e := &ending{server: s, ended: make(chan error, 2)}
	var ctx context.Context
	ctx, e.stop = context.WithCancel(context.Background())
	hurry, hurried := context.WithCancel(context.Background())
	t.Cleanup(hurried)
	t.Cleanup(e.stop)
	serve := func(certificate *host.Certificate) string {
		l := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
		go func() {
			e.ended <- host.Serve(ctx, host.Until(hurry, s.service.Drained()), l, s.service, certificate, s.options.Log)
		}()
		return l.Addr().String()
	}
	e.plain, e.secure = serve(nil), serve(certificate(t))
	return e
}

// certificate returns httptest's certificate.
func certificate(t *testing.T) *host.Certificate {
	h := httptest.NewTLSServer(http.NotFoundHandler())
	defer h.Close()
	key := testrun.Must(x509.MarshalPKCS8PrivateKey(h.TLS.Certificates[0].PrivateKey))(t)
	dir := t.TempDir()
	for name, block := range map[string]*pem.Block{"cert": {Type: "CERTIFICATE", Bytes: h.Certificate().Raw}, "key": {Type: "PRIVATE KEY", Bytes: key}} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
	return testrun.Must(host.LoadCertificate(filepath.Join(dir, "cert"), filepath.Join(dir, "key")))(t)
}

// ways returns clients of the service; the HTTP/2 client uses one connection.
func (e *ending) ways() map[string]transport {
	return map[string]transport{
		"HTTP1": {"http://" + e.plain, &http.Client{Transport: &http.Transport{}}},
		"TLS":   {"https://" + e.secure, &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}},
		"HTTP2": {"https://" + e.secure, &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}},
	}
}

// awaitRequests waits until n requests are under way.
func (s *server) awaitRequests(n int) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return s.metric("paperfs_service_requests_under_way") >= float64(n) }, testrun.Patience(), 10*time.Millisecond)
}

// awaitEnd waits until the service and all requests have ended.
func (e *ending) awaitEnd() {
	e.t.Helper()
	for range 2 {
		select {
		case err := <-e.ended:
			require.NoError(e.t, err)
		case <-time.After(testrun.Patience()):
			require.Fail(e.t, "the service does not end")
		}
	}
	require.Eventually(e.t, func() bool { return e.metric("paperfs_service_requests_under_way") == 0 }, testrun.Patience(), 10*time.Millisecond)
}

// dialed opens a connection and sends a text.
func dialed(t *testing.T, address string, secure bool, text string) net.Conn {
	conn := testrun.Must(net.Dial("tcp", address))(t)
	t.Cleanup(func() { conn.Close() })
	require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4<<10))
	if secure {
		conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
		require.NoError(t, conn.(*tls.Conn).Handshake())
	}
	testrun.Must(io.WriteString(conn, text))(t)
	return conn
}

// deafRequests is the number of requests that a deaf client has under way.
const deafRequests = 10

// deaf requests a file many times over HTTP/2 and reads nothing, so it does not notice the end of
// the service either.
func (e *ending) deaf(t *testing.T, path string) {
	conn := dialed(t, e.secure, true, http2.ClientPreface)
	framer := http2.NewFramer(conn, nil)
	const most = 1<<31 - 1
	require.NoError(t, framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: most}))
	require.NoError(t, framer.WriteWindowUpdate(0, most-65535))
	for i := range uint32(deafRequests) {
		var block strings.Builder
		headers := hpack.NewEncoder(&block)
		for _, f := range []hpack.HeaderField{{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: "localhost"}, {Name: ":path", Value: path}} {
			require.NoError(t, headers.WriteField(f))
		}
		require.NoError(t, framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 2*i + 1, BlockFragment: []byte(block.String()), EndHeaders: true, EndStream: true}))
	}
}

// TestNoStrangerHoldsUpTheEnd checks that a request without good credentials does not delay the
// shutdown, and that the service waits for requests with good ones.
func TestNoStrangerHoldsUpTheEnd(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.BodyLimit = 1 << 60 })
	s.setBodyBounds(1<<60, time.Now) // only the shutdown ends bodies
	s.setDrain(time.Millisecond, time.Hour)
	const judged = `paperfs_service_database_seconds_count{transaction="caller"}`
	before := s.metric(judged)
	e := s.ending(t)
	requests := 0
	strangers := make(chan string, 100)
	stranger := func(way transport, path, kind string, body io.Reader) {
		requests++
		go func() {
			_, text, _ := way.send(t, "POST", path, kind, body)
			strangers <- text
		}()
	}
	login := s.credentials(remote.UploadFile).Encode()
	goods := map[string]*io.PipeWriter{}
	answers := make(chan string, 10)
	for name, way := range e.ways() {
		for what, b := range s.aimless() {
			switch {
			case b.method == "GET" || strings.Contains(what, "wrong") || b.path == "/nothing/" || b.kind == "text/plain":
				continue // the service answers these at once, and discards a bounded rest of the body
			case name == "HTTP2" || what == "unknown field":
				stranger(way, b.path, b.kind, &over{text: b.text, again: b.again})
			}
		}
		if name == "HTTP2" { // Go's HTTP/1.1 client waits for its own body first
			stuck, feed := io.Pipe()
			go io.WriteString(feed, "x=y&") //nolint:errcheck // the test fails without it
			stranger(way, remote.GetTree.Path(), formKind, stuck)
		}
		good, feed := io.Pipe()
		begin := "x=" + strings.Repeat("y", 1<<20) + "&" + login + "&parentID=0&name=" + name + "&base64File=QUJD"
		go io.WriteString(feed, begin) //nolint:errcheck // as well
		goods[name] = feed
		requests++
		go func() {
			_, text, err := way.send(t, "POST", remote.UploadFile.Path(), formKind, sized{good, int64(len(begin) + len("REVG"))})
			answers <- fmt.Sprint(text, err)
		}()
	}
	stuck := dialed(t, e.plain, false, fmt.Sprintf(head, 1000, "")+"x=y&")
	requests++
	dialed(t, e.plain, false, "GET / HTTP/1.1\r\nHost: lo")
	dialed(t, e.secure, false, "\x16\x03\x01")
	dialed(t, e.secure, true, http2.ClientPreface)
	s.awaitRequests(requests)
	require.Eventually(t, func() bool { return s.metric(judged) >= before+float64(len(goods)) }, testrun.Patience(), 10*time.Millisecond)

	e.stop()
	s.service.Drain()
	for range requests - len(goods) - 1 {
		require.NotContains(t, <-strangers, "SUCCESS")
	}
	answer := testrun.Must(io.ReadAll(stuck))(t)
	require.Contains(t, string(answer), "The request body ended early.", "a stranger also learns what happened")
	for _, feed := range goods {
		testrun.Must(io.WriteString(feed, "REVG"))(t)
		feed.Close()
	}
	for range goods {
		require.Contains(t, <-answers, "SUCCESS")
	}
	e.awaitEnd()
	s.reopen()
	require.Equal(t, len(goods), strings.Count(s.must(remote.GetTree).data, `bytes="6"`))
}

// TestNoDeafStrangerHoldsUpTheEnd checks that a client that reads no answer, so that the service
// cannot close its connection cleanly, does not delay the shutdown either.
func TestNoDeafStrangerHoldsUpTheEnd(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.setDrain(time.Millisecond, time.Millisecond)
	s.upload("0", "file", strings.Repeat("content ", 4<<20))
	file := strings.TrimPrefix(s.must(remote.GetTree).attribute(t, "url"), s.http.URL)
	e := s.ending(t)
	dialed(t, e.plain, false, "GET "+file+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
	e.deaf(t, file)
	s.awaitRequests(1 + deafRequests)
	e.stop()
	s.service.Drain()
	e.awaitEnd()
}
