package apitest

import (
	"bufio"
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
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

// TestABodyThatStandsStill checks that a stalled body gets a 408 that explains it, and a truncated
// one a 400.
func TestABodyThatStandsStill(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.setStall(time.Second) // the answers have no more time to be read
	login := s.credentials(remote.UploadFile).Encode()
	for protocol, way := range s.transports(t) {
		for name, begun := range map[string]string{"known": login + "&parentID=0&name=f&base64File=QUJD", "a stranger": "parentID=0&name=f&base64File=QUJD"} {
			body, feed := io.Pipe()
			go io.WriteString(feed, begun) //nolint:errcheck // the test fails without it
			// An HTTP/1.1 client may see the connection close while it sends.
			status, text, err := way.alone(t).send(t, http.MethodPost, remote.UploadFile.Path(), formKind, body)
			feed.Close()
			if protocol == "HTTP/2" || err == nil {
				require.NoError(t, err)
				require.Equal(t, http.StatusRequestTimeout, status, "%s, %s: %s", protocol, name, text)
				require.Contains(t, text, "The request stalled", name)
			}
		}
	}
	for status, end := range map[string]func(*net.TCPConn) error{
		"408 Request Timeout": func(*net.TCPConn) error { return nil },
		"400 Bad Request":     (*net.TCPConn).CloseWrite,
	} {
		conn := testrun.Must(net.Dial("tcp", s.http.Listener.Addr().String()))(t)
		defer conn.Close()
		_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 1000\r\n\r\n%s", remote.GetTree.Path(), formKind, "x=y&")
		require.NoError(t, err)
		require.NoError(t, end(conn.(*net.TCPConn)))
		require.Contains(t, string(testrun.Must(io.ReadAll(conn))(t)), status)
	}
	require.NotContains(t, s.must(remote.GetTree).data, `name="f"`)
}

// TestASlowClientHoldsNoSnapshot checks that an answer larger than the connection's buffers is
// complete before its client reads it, so that the database's log can be truncated, and that later
// changes neither wait for the client nor appear in the answer.
func TestASlowClientHoldsNoSnapshot(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.place().Embedded(t, "it reads the log of SQLite")
	db := s.place().Beside(t)
	require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		tenant, err := tx.TenantByName("default")
		// Each & takes nine bytes in the answer.
		long := store.Node{Tenant: tenant.ID, Parent: tenant.Root, Kind: remote.PaperNode, Name: strings.Repeat("&", 255)}
		for i := 0; i < 2500 && err == nil; i++ {
			long.URLName = strconv.Itoa(i)
			_, err = tx.AddNode(long)
		}
		return err
	}))
	require.NoError(t, db.Close())
	root := s.root()
	s.category(root, "before")
	resp := s.ask(t.Context(), root, "identity")
	defer resp.Body.Close()
	body := bufio.NewReader(resp.Body)
	testrun.Must(body.Peek(1))(t)
	s.category(root, "while-it-is-read")

	log := testrun.Must(sql.Open("sqlite", "file:"+filepath.Join(s.data, "service.db")))(t)
	defer log.Close()
	require.Eventually(t, func() bool {
		var busy, left, done int
		require.NoError(t, log.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &left, &done))
		return busy == 0
	}, testrun.Patience(), 10*time.Millisecond, "nothing reads the log")

	all := testrun.Must(io.ReadAll(body))(t)
	require.Greater(t, len(all), 5<<20)
	require.Contains(t, string(all), `url="/before/"`)
	require.NotContains(t, string(all), `url="/while-it-is-read/"`)
	require.True(t, strings.HasSuffix(string(all), "</string>\n"))
}
