package service_test

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
)

// longPaper makes a public paper whose page is some MiB long.
func (s *server) longPaper(name string, pages int) {
	s.paperOf(name, slices.Repeat([]string{strings.Repeat("text of a page ", 70_000)}, pages)...)
}

// watched serves the service at another address and returns the connections that
// the server has closed.
func (s *server) watched() (address string, closed chan string) {
	closed = make(chan string, 1000)
	h := httptest.NewUnstartedServer(s.service)
	h.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateNew { // little is enough to fill it
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

// TestNothingStandsStill: the service closes the connection of a client that never reads,
// whatever it asks for.
func TestNothingStandsStill(t *testing.T) {
	s := start(t)
	s.longPaper("long", 1)
	s.upload("0", "file", strings.Repeat("content ", 2<<20))
	media := strings.TrimPrefix(s.must(remote.GetTree).attribute(t, "url"), s.http.URL)
	s.service.SetStall(100 * time.Millisecond)
	address, closed := s.watched()
	for name, path := range map[string]string{
		"page": "/long/", "media": media, "help": "/V2/Paper.asmx", "WSDL": "/V2/Paper.asmx?WSDL", "none": "/nothing/", "operation": "/V2/Paper.asmx/Nothing",
		"answer": "/V2/Media.asmx/GetTree?" + s.credentials(remote.GetTree).Encode(),
	} {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4<<10))
		own := conn.LocalAddr().String()
		go func() { // so many that small answers fill the connection too
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
		case <-time.After(3 * time.Minute):
			require.Fail(t, "still there", name)
		}
		conn.Close()
	}
}

// TestAPageIsNotHeldInMemory: many clients that ask for a large page and never read it cost
// the service little.
func TestAPageIsNotHeldInMemory(t *testing.T) {
	s := start(t)
	s.longPaper("long", 4)
	s.service.SetPaperPage(4, 8<<20)
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	const clients = 30
	for range clients {
		conn := s.dial()
		_, err := io.WriteString(conn, "GET /long/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
		require.NoError(t, err)
		_, err = io.ReadFull(conn, make([]byte, 100))
		require.NoError(t, err)
	}
	runtime.GC()
	runtime.ReadMemStats(&m)
	require.Less(t, int64(m.HeapAlloc)-int64(before), int64(clients*4<<20/4), "each page has 4 MiB")
}
