package apitest

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// longPaper creates a public paper with a page of a few MiB.
func (s *server) longPaper(name string, pages int) {
	s.paperOf(name, slices.Repeat([]string{strings.Repeat("text of a page ", 70_000)}, pages)...)
}

// watched also serves the service at another address, and reports the connections that it closes.
func (s *server) watched() (address string, closed chan string) {
	closed = make(chan string, 1000)
	h := httptest.NewUnstartedServer(s.service)
	h.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateNew { // a small buffer that fills up quickly
			_ = c.(*net.TCPConn).SetWriteBuffer(4 << 10)
		}
		if state == http.StateClosed {
			closed <- c.RemoteAddr().String()
		}
	}
	h.Start()
	s.t.Cleanup(h.Close)
	return h.Listener.Addr().String(), closed
}

// TestNothingStandsStill checks that the service closes the connection of a client that never
// reads, whatever the request.
func TestNothingStandsStill(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.longPaper("long", 1)
	s.upload("0", "file", strings.Repeat("content ", 2<<20))
	media := strings.TrimPrefix(s.must(remote.GetTree).attribute(t, "url"), s.http.URL)
	s.setStall(100 * time.Millisecond)
	address, closed := s.watched()
	for name, path := range map[string]string{
		"page": "/long/", "media": media, "help": "/V2/Paper.asmx", "WSDL": "/V2/Paper.asmx?WSDL", "none": "/nothing/", "operation": "/V2/Paper.asmx/Nothing",
		"answer": "/V2/Media.asmx/GetTree?" + s.credentials(remote.GetTree).Encode(),
	} {
		conn := testrun.Must(net.Dial("tcp", address))(t)
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4<<10))
		own := conn.LocalAddr().String()
		go func() { // enough requests that even small answers fill the connection
			request := strings.Repeat("GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n", 100)
			for {
				if _, err := io.WriteString(conn, request); err != nil {
					return
				}
			}
		}()
		select {
		case ended := <-closed:
			require.Equal(t, own, ended, name)
		case <-time.After(testrun.Patience()):
			require.Fail(t, "the connection is still open", name)
		}
		conn.Close()
	}
}

// TestAPageIsNotHeldInMemory checks that many clients that request a large page and never read it
// cost the service little memory.
func TestAPageIsNotHeldInMemory(t *testing.T) {
	s := start(t)
	s.longPaper("long", 4)
	s.setPaperPage(4, 8<<20)
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	const clients = 30
	for range clients {
		conn := s.dial()
		testrun.Must(io.WriteString(conn, "GET /long/ HTTP/1.1\r\nHost: localhost\r\n\r\n"))(t)
		testrun.Must(io.ReadFull(conn, make([]byte, 100)))(t)
	}
	runtime.GC()
	runtime.ReadMemStats(&m)
	require.Less(t, int64(m.HeapAlloc)-int64(before), int64(clients*4<<20/4), "each page has 4 MiB")
}
