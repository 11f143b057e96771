package address

import (
	"net"
	"net/http"
	"net/netip"
)

// Client returns the IP address that a request came from, without zone and with IPv4-mapped
// addresses as IPv4; "" if it is unknown.
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

// Network returns what counts as one address: for IPv6 the network that one customer gets.
func Network(r *http.Request) string {
	client := Client(r)
	ip, err := netip.ParseAddr(client)
	if err != nil || ip.Is4() {
		return client
	}
	prefix, _ := ip.Prefix(64) // a valid length
	return prefix.String()
}
