package address

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Host returns the host of a Host header in lower case, without port and brackets.
func Host(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// PossibleHost reports whether requests can have this host, which may include a port: an IP
// address or a DNS name (also with _, which some names contain).
func PossibleHost(host string) bool {
	if _, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
	}
	name := Host(host)
	if a, err := netip.ParseAddr(name); err == nil {
		return a.Zone() == ""
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if len(label) < 1 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' || strings.ContainsFunc(label, notOfNames) {
			return false
		}
	}
	// Clients parse a name that ends in a number as an IPv4 address, which this is not.
	return len(name) <= 253 && strings.Trim(labels[len(labels)-1], "0123456789") != ""
}

func notOfNames(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_", r)
}

// IsLoopback reports whether a Host header names the loopback interface.
func IsLoopback(host string) bool {
	name := Host(host)
	a, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && a.Unmap().IsLoopback()
}
