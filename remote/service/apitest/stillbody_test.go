package apitest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

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
