package remote

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
)

// contentTransport reads content from the service's own origin, from the hosts that the
// user named, and by https from other hosts with public addresses. The service says where
// its content is; it must not be able to read from this machine and its network through
// the mount.
type contentTransport struct {
	base   *url.URL
	named  map[string]bool // in lower case, with or without a port
	own    *http.Transport
	other  *http.Transport // connects only to public addresses
	public func(netip.Addr) bool
}

func newContentTransport(base *url.URL, named []string, own *http.Transport) (*contentTransport, error) {
	t := &contentTransport{base: base, named: map[string]bool{}, own: own, other: own.Clone(), public: Public}
	for _, host := range named {
		u, err := url.Parse("https://" + host)
		if err != nil || u.Host != host || host == "" {
			return nil, fmt.Errorf("%q is not a host that content can be read from: write HOST or HOST:PORT", host)
		}
		t.named[strings.ToLower(host)] = true
	}
	t.other.Proxy = nil // requests that go through a proxy use own
	t.other.DialContext = (&net.Dialer{Timeout: dialLimit, KeepAlive: keepAlive, Control: t.control}).DialContext
	return t, nil
}

// placeError refuses an address.
type placeError struct{ words string }

func (e *placeError) Error() string { return e.words }

func misplaced(format string, args ...any) error {
	return &placeError{fmt.Sprintf(format, args...) + "; name the host with --content-host if it may be read"}
}

// RoundTrip implements http.RoundTripper. It also gets the requests of redirects.
func (t *contentTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.trusted(r.URL) {
		return t.own.RoundTrip(r)
	}
	if r.URL.Scheme != "https" {
		return nil, misplaced("it is at another host, %s, from which nothing is read by plain http", r.URL.Host)
	}
	proxy, err := t.own.Proxy(r)
	switch {
	case err != nil:
		return nil, err
	case proxy == nil:
		return t.other.RoundTrip(r)
	}
	// The proxy resolves names; only a literal address can be checked here.
	if addr, err := netip.ParseAddr(r.URL.Hostname()); err == nil && !t.public(addr) || loopback(r.URL.Hostname()) {
		return nil, misplaced("it is at %s, which is not a public address", r.URL.Host)
	}
	return t.own.RoundTrip(r)
}

// trusted reports whether u is at the service's own origin or at a named host.
func (t *contentTransport) trusted(u *url.URL) bool {
	return sameOrigin(t.base, u) || t.named[strings.ToLower(u.Host)] || t.named[strings.ToLower(u.Hostname())]
}

// sameOrigin reports whether scheme, host and port are the same. A step from http to
// https counts as the same if both have their usual ports.
func sameOrigin(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	if from.Scheme == to.Scheme {
		return port(from) == port(to)
	}
	return to.Scheme == "https" && port(from) == "80" && port(to) == "443"
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// control allows only connections to public addresses. It runs after the look-up of
// the name.
func (t *contentTransport) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !t.public(to.Addr()) {
		return misplaced("it is at %s, which is not a public address", address)
	}
	return nil
}

// reserved has the networks that netip regards as public but that are not: those of one
// machine or site, those for tests and examples, and those that embed another address.
var reserved = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/32", "2001:db8::/32", "2002::/16", "fec0::/10")

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// Public reports whether an address belongs to the public network.
func Public(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	for _, p := range reserved {
		if p.Contains(addr) {
			return false
		}
	}
	return addr.IsGlobalUnicast() && !addr.IsPrivate()
}

// loopback reports whether a host names this machine.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
