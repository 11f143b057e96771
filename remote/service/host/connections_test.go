package host

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// answers reports whether a connection is served.
func answers(t *testing.T, c net.Conn) bool {
	require.NoError(t, c.SetDeadline(time.Now().Add(testrun.Patience())))
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return false
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return false
	}
	r.Body.Close()
	return true
}

func TestConnectionsOfAnAddressAreBounded(t *testing.T) {
	t.Parallel()
	l := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	server := &http.Server{Handler: http.NotFoundHandler()}
	defer server.Close()
	go server.Serve(Bounded(l, 3, netip.MustParsePrefix("127.0.0.9/32")))
	dial := func(from string) net.Conn {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		c := testrun.Must(d.Dial("tcp", l.Addr().String()))(t)
		t.Cleanup(func() { c.Close() })
		return c
	}
	var open []net.Conn
	for range 3 {
		open = append(open, dial("127.0.0.1"))
		require.True(t, answers(t, open[len(open)-1]))
	}
	require.False(t, answers(t, dial("127.0.0.1")))
	require.True(t, answers(t, dial("127.0.0.2")), "another address has its own limit")
	for range 5 {
		require.True(t, answers(t, dial("127.0.0.9")), "a proxy has no limit")
	}
	for _, c := range open {
		require.True(t, answers(t, c), "the earlier connections stay")
	}
	open[0].Close()
	require.Eventually(t, func() bool { return answers(t, dial("127.0.0.1")) }, testrun.Patience(), 10*time.Millisecond)
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.7:80": "192.0.2.7", "[::ffff:192.0.2.7]:80": "192.0.2.7", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64", "[fe80::1%lo]:80": "fe80::/64",
	} {
		a := testrun.Must(net.ResolveTCPAddr("tcp", address))(t)
		require.Equal(t, want, network(a))
	}
}
