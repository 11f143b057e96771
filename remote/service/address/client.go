package address

import (
	"net"
	"net/http"
	"net/netip"
)

// Client is the IP address that a request came from, without zone, IPv4 as
// such; "" where it is not known.
func Client(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return ""
	}
	return ip.Unmap().WithZone("").String()
}

// Network is what counts as one address: of IPv6 what one customer is given.
func Network(r *http.Request) string {
	client := Client(r)
	ip, err := netip.ParseAddr(client)
	if err != nil || ip.Is4() {
		return client
	}
	prefix, _ := ip.Prefix(64) // a valid length
	return prefix.String()
}
