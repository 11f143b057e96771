package remote

import (
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// elsewhere starts a server with content, over HTTPS unless plain, and returns a client of another
// service that trusts its certificate.
func elsewhere(t *testing.T, plain bool, options ...func(*Options)) (*httptest.Server, *Client, *http.Header) {
	var got http.Header
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		if r.URL.Path == "/inside" {
			http.Redirect(w, r, "https://127.0.0.1:1/", http.StatusFound)
			return
		}
		io.WriteString(w, "content")
	}))
	t.Cleanup(s.Close)
	if plain {
		s.Start()
	} else {
		s.StartTLS()
	}
	_, c := serve(t, answers(""), append(options, func(o *Options) {
		if plain {
			return
		}
		o.CAFile = filepath.Join(t.TempDir(), "ca.pem")
		require.NoError(t, os.WriteFile(o.CAFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600))
	})...)
	return s, c, &got
}

func TestContentOfOtherHostsIsReadByHTTPSAtPublicAddresses(t *testing.T) {
	t.Parallel()
	read := func(c *Client, address string) error {
		r, err := c.Download(ctx, address, Part{})
		if err != nil {
			return err
		}
		require.Equal(t, "content", string(testrun.Must(io.ReadAll(r))(t)))
		return r.Close()
	}
	for _, plain := range []bool{false, true} {
		s, c, got := elsewhere(t, plain)
		fails(t, read(c, s.URL+"/f"), Elsewhere)
		require.Nil(t, *got, "the client must send no request")
		host := strings.TrimPrefix(strings.TrimPrefix(s.URL, "https://"), "http://")
		for _, name := range []string{host, "127.0.0.1"} {
			s, c, got := elsewhere(t, plain, func(o *Options) { o.ContentHosts = []string{strings.Replace(name, host, "127.0.0.1", 1)} })
			require.NoError(t, read(c, s.URL+"/f"))
			require.Empty(t, got.Get("Authorization"))
			require.Empty(t, got.Get("Cookie"))
		}
	}
	s, c, _ := elsewhere(t, false)
	c.content.public = func(netip.Addr) bool { return true }
	require.NoError(t, read(c, s.URL+"/f"), "content at a public address")
	require.Equal(t, 302, fails(t, read(c, s.URL+"/inside"), Status).Status, "a redirect to another host is not followed")
	plain, c, _ := elsewhere(t, true)
	c.content.public = func(netip.Addr) bool { return true }
	fails(t, read(c, plain.URL+"/f"), Elsewhere)

	for _, host := range []string{"", "https://x.example", "x.example/y", "me@x.example"} {
		_, err := New(Options{BaseURL: "https://x.example", ContentHosts: []string{host}})
		require.ErrorContains(t, err, "HOST:PORT", host)
	}
}

func TestNamesAreCheckedWhenTheyAreLookedUp(t *testing.T) {
	t.Parallel()
	s, c, got := elsewhere(t, false)
	u := testrun.Must(url.Parse(s.URL))(t)
	_, err := c.Download(ctx, "https://localhost:"+u.Port()+"/f", Part{})
	fails(t, err, Elsewhere)
	require.Nil(t, *got)

	// With a proxy, the client does not resolve names, and sends no request for known non-public
	// addresses.
	asked := ""
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Host
		http.Error(w, "no", http.StatusForbidden)
	}))
	defer proxy.Close()
	_, c, _ = elsewhere(t, false)
	c.transport.Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxy.URL) }
	_, err = c.Download(ctx, "https://nowhere.invalid/f", Part{})
	fails(t, err, Unreachable)
	require.Equal(t, "nowhere.invalid:443", asked)
	asked = ""
	for _, host := range []string{"10.1.2.3", "localhost", "[::1]", "169.254.169.254"} {
		_, err = c.Download(ctx, "https://"+host+"/f", Part{})
		fails(t, err, Elsewhere)
		require.Empty(t, asked, host)
	}
}

func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true, "::ffff:93.184.216.34": true,
		"127.0.0.1": false, "::1": false, "::ffff:127.0.0.1": false, "10.0.0.1": false, "172.16.0.1": false, "192.168.1.1": false,
		"169.254.169.254": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "0.0.0.0": false, "::": false, "0.1.2.3": false, "100.64.0.1": false,
		"224.0.0.1": false, "ff02::1": false, "255.255.255.255": false, "64:ff9b::7f00:1": false, "2002:7f00:1::": false, "::127.0.0.1": false,
	} {
		require.Equal(t, want, Public(netip.MustParseAddr(address)), address)
	}
}
