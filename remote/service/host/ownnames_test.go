package host

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

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
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
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
