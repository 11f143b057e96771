package apitest

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/host"
	"paperfs/remote/testrun"
)

// from sends a request that a proxy forwards for a client at this address.
func (s *server) from(address, method, path string) reply {
	s.t.Helper()
	req := testrun.Must(http.NewRequest(method, s.http.URL+path, nil))(s.t)
	req.Header.Set("X-Forwarded-For", address)
	return s.do(req)
}

// limited returns a server that allows each address two requests a second, in bursts of twenty.
// pass advances the clock of that limit.
func limited(t *testing.T) (s *server, pass func(time.Duration)) {
	s = imported(t, func(o *service.Options) {
		o.AddressRequests = 2
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	var now atomic.Int64
	now.Store(time.Now().Unix())
	s.inside().Addresses.Now = func() time.Time { return time.Unix(now.Load(), 0) }
	return s, func(d time.Duration) { now.Add(int64(d / time.Second)) }
}

// TestAnAddressHasARate checks that, without an account, requests of any kind beyond the rate of
// their address get 429, and that other addresses are not affected.
func TestAnAddressHasARate(t *testing.T) {
	t.Parallel()
	s, pass := limited(t)
	id := remote.GetPaperIDFromUrl.Path()
	wrong := id + "?url=%2F&plPassword=wrong&plUsername=" + s.user
	for _, c := range []struct {
		name, method, path string
		status             int
	}{
		{"page", "GET", "/garden/spring-2031/", 200},
		{"category", "GET", "/", 200},
		{"nothing", "GET", "/nothing/", 404},
		{"image", "GET", "/garden/spring-2031/Image.ashx", 404},
		{"media", "GET", "/media/77/nothing", 404},
		{"help", "GET", "/V2/Paper.asmx", 200},
		{"head", "HEAD", "/V2/Paper.asmx", 200},
		{"no operation", "GET", "/V2/Paper.asmx/Nothing", 500},
		{"no group", "GET", "/V2/Nothing.asmx", 404},
		{"wrong password", "GET", wrong, 200},
		{"no password", "GET", id + "?url=%2F", 500},
		{"no method", "PUT", wrong, 405},
		{"no SOAP", "POST", "/V2/Paper.asmx", 415},
		{"too long", "GET", "/" + strings.Repeat("x", service.MaxAddress), 414},
	} {
		for range 20 {
			require.Equal(t, c.status, s.from("203.0.113.7", c.method, c.path).status, c.name)
		}
		r := s.from("203.0.113.7", c.method, c.path)
		require.Equal(t, http.StatusTooManyRequests, r.status, c.name)
		require.Equal(t, "1", r.header.Get("Retry-After"), c.name)
		if c.method != "HEAD" {
			require.Contains(t, r.body, "Too many requests from your address.", c.name)
		}
		require.Equal(t, c.status, s.from("203.0.113.8", c.method, c.path).status, "another address: %s", c.name)
		pass(time.Second)
		for range 2 {
			require.Equal(t, c.status, s.from("203.0.113.7", c.method, c.path).status, c.name)
		}
		require.Equal(t, http.StatusTooManyRequests, s.from("203.0.113.7", c.method, c.path).status, c.name)
		pass(addressPause)
	}
	s.optionsAreCounted(t)
	for range 20 { // a /64 of IPv6 counts as one address
		require.Equal(t, 200, s.from("2001:db8::7", "GET", "/").status)
	}
	require.Equal(t, http.StatusTooManyRequests, s.from("2001:db8::8", "GET", "/").status)
	require.Equal(t, 200, s.from("2001:db8:0:1::8", "GET", "/").status)
}

// optionsAreCounted sends OPTIONS * to the service as serve runs it: by default, net/http answers
// it without calling the handler.
func (s *server) optionsAreCounted(t *testing.T) {
	address := s.served(t)
	ask := func(from string) int {
		conn := testrun.Must(net.Dial("tcp", address))(t)
		defer conn.Close()
		testrun.Must(fmt.Fprintf(conn, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: %s\r\n\r\n", from))(t)
		return testrun.Must(http.ReadResponse(bufio.NewReader(conn), nil))(t).StatusCode
	}
	for range 20 {
		require.Equal(t, http.StatusOK, ask("203.0.113.9"))
	}
	require.Equal(t, http.StatusTooManyRequests, ask("203.0.113.9"))
	require.Equal(t, http.StatusOK, ask("203.0.113.10"))
}

// served also serves the service at another address, as serve does.
func (s *server) served(t *testing.T) (address string) {
	l := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(context.Background())
	hurry, hurried := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- host.Serve(ctx, hurry, l, s.service, nil, s.options.Log) }()
	t.Cleanup(func() {
		stop()
		hurried()
		require.NoError(t, <-ended)
	})
	return l.Addr().String()
}

// addressPause is longer than an address needs to regain its full rate.
const addressPause = time.Minute

// TestGoodCredentialsHaveNoRate checks that calls with good credentials have no rate limit, and
// that for an hour afterwards their address has none for requests without credentials either.
func TestGoodCredentialsHaveNoRate(t *testing.T) {
	t.Parallel()
	s, pass := limited(t)
	good := remote.GetPaperIDFromUrl.Path() + "?url=%2F&" + s.credentials(remote.GetPaperIDFromUrl).Encode()
	for range 30 {
		s.from("203.0.113.7", "GET", "/")
	}
	require.Equal(t, http.StatusTooManyRequests, s.from("203.0.113.7", "GET", "/").status)
	for range 30 {
		require.Equal(t, remote.Success, s.from("203.0.113.7", "GET", good).code)
		require.Equal(t, 200, s.from("203.0.113.7", "GET", "/").status)
	}
	pass(time.Hour + time.Second)
	for range 20 {
		require.Equal(t, 200, s.from("203.0.113.7", "GET", "/").status)
	}
	require.Equal(t, http.StatusTooManyRequests, s.from("203.0.113.7", "GET", "/").status)
}

// TestTooManyRequestsDuringMaintenance checks that a caller who asks too often is told so during a
// maintenance window, too, whether the service remembers it or not, whatever it asks for.
func TestTooManyRequestsDuringMaintenance(t *testing.T) {
	t.Parallel()
	for name, remembered := range map[string]bool{"remembered": true, "not remembered": false} {
		for kind, call := range map[string]func(c *server) reply{
			"a change":             func(c *server) reply { return c.call(remote.CreateDirectory, "parentID", "0", "name", "d") },
			"a change that is bad": func(c *server) reply { return c.call(remote.CreateDirectory, "parentID", "x", "name", "d") },
			"an upload": func(c *server) reply {
				return c.call(remote.UploadFile, "parentID", "0", "name", "n", "base64File", "aGk=")
			},
			"an upload that is bad": func(c *server) reply {
				return c.call(remote.UploadFile, "parentID", "0", "name", "n", "base64File", "*")
			},
			"some fields": func(c *server) reply {
				return c.call(remote.SetMultipleCustomFieldValues, "paperID", "1", "fieldsXml", "<fields/>")
			},
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				s := start(t, func(o *service.Options) { o.RPM = 2 })
				if remembered {
					s.must(remote.GetTree)
				} else {
					require.NoError(t, s.admin().SetReadOnly(true))
					s.fails(remote.ReadOnly, remote.CreateDirectory, "parentID", "0", "name", "d")
				}
				require.NoError(t, s.admin().SetReadOnly(true))
				require.Equal(t, remote.ReadOnly, call(s).code)
				r := call(s)
				require.Equal(t, http.StatusTooManyRequests, r.status, r.body)
				require.NotEmpty(t, r.header.Get("Retry-After"))
			})
		}
	}
}
