package address

import (
	"net/http"
	"net/netip"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOnlyTrustedProxiesAreBelieved checks which client a request has, by who sent it and what the
// headers say.
func TestOnlyTrustedProxiesAreBelieved(t *testing.T) {
	t.Parallel()
	trusted := Trusted{netip.MustParsePrefix("10.0.0.0/8")}
	for name, c := range map[string]struct {
		peer   string
		header http.Header
		client string
	}{
		"a stranger's claim":            {"203.0.113.9:1", http.Header{"X-Forwarded-For": {"1.2.3.4"}}, "203.0.113.9:1"},
		"a proxy that says nothing":     {"10.0.0.1:1", nil, "10.0.0.1:1"},
		"a proxy":                       {"10.0.0.1:1", http.Header{"X-Forwarded-For": {"1.2.3.4"}}, "1.2.3.4:0"},
		"the standard's header":         {"10.0.0.1:1", http.Header{"Forwarded": {`for="[2001:db8::1]:7"`}}, "[2001:db8::1]:0"},
		"a client's claim before it":    {"10.0.0.1:1", http.Header{"X-Forwarded-For": {"6.6.6.6, 1.2.3.4"}}, "1.2.3.4:0"},
		"two proxies":                   {"10.0.0.1:1", http.Header{"X-Forwarded-For": {"1.2.3.4, 10.0.0.2"}}, "1.2.3.4:0"},
		"headers that contradict":       {"10.0.0.1:1", http.Header{"Forwarded": {"for=6.6.6.6"}, "X-Forwarded-For": {"1.2.3.4"}}, "unknown:0"},
		"a header that cannot be read":  {"10.0.0.1:1", http.Header{"X-Forwarded-For": {"nonsense"}}, "unknown:0"},
		"nonsense behind another proxy": {"10.0.0.1:1", http.Header{"X-Forwarded-For": {"nonsense, 10.0.0.2"}}, "unknown:0"},
	} {
		r := &http.Request{RemoteAddr: c.peer, Header: c.header, URL: &url.URL{}}
		if r.Header == nil {
			r.Header = http.Header{}
		}
		require.Equal(t, c.client, trusted.Through(r).RemoteAddr, name)
	}
}

// TestHostAndSchemeOfAProxy checks that they count only where they can be meant.
func TestHostAndSchemeOfAProxy(t *testing.T) {
	t.Parallel()
	trusted := Trusted{netip.MustParsePrefix("::1/128")}
	r := &http.Request{RemoteAddr: "[::1]:1", Host: "inside", URL: &url.URL{}, Header: http.Header{
		"Forwarded": {`for=1.2.3.4;proto=HTTPS;host="papers.example:8443"`},
	}}
	through := trusted.Through(r)
	require.Equal(t, "https", through.URL.Scheme)
	require.Equal(t, "papers.example:8443", through.Host)
	require.Equal(t, "inside", r.Host, "the request itself stays")
	r.Header.Set("Forwarded", `for=1.2.3.4;proto=gopher;host="a b<script>"`)
	through = trusted.Through(r)
	require.Empty(t, through.URL.Scheme)
	require.Equal(t, "inside", through.Host)
}
