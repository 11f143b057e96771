package address

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// hop is what a proxy reports of a request that it passed on; "" for what it does not
// report.
type hop struct {
	client netip.Addr // invalid for an unknown one
	scheme string
	host   string
}

// unknownClient is the address of a client that a trusted proxy does not identify. It is
// not a valid address, so that no client has it.
const unknownClient = "unknown"

// Trusted are the networks whose proxies are believed.
type Trusted []netip.Prefix

// Through returns the request with the client, host and scheme that trusted proxies
// report; headers from other peers change nothing. It reads the list of proxies from
// the nearest back to the first that is not trusted: that one is the client, and its
// own claims do not count.
func (t Trusted) Through(r *http.Request) *http.Request {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !t.trusts(peer.Addr()) {
		return r
	}
	said := t.choose(forwarded(r.Header), xForwarded(r.Header))
	if said == nil {
		if !lists(r.Header) {
			return r
		}
		said = &hop{} // the header lists nobody
	}
	through := *r
	through.URL = new(url.URL)
	*through.URL = *r.URL
	// A client that sends a malformed header must not get the proxy's address.
	client := unknownClient
	if said.client.IsValid() {
		client = said.client.String()
	}
	through.RemoteAddr = net.JoinHostPort(client, "0")
	if said.scheme == "http" || said.scheme == "https" {
		through.URL.Scheme = said.scheme
	}
	if isHost(said.host) {
		through.Host = said.host
	}
	return &through
}

// lists reports whether there is a header that lists clients.
func lists(h http.Header) bool {
	return len(h.Values("Forwarded")) > 0 || len(h.Values("X-Forwarded-For")) > 0
}

func (t Trusted) trusts(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	return slices.ContainsFunc(t, func(p netip.Prefix) bool { return p.Contains(address) })
}

// choose returns the form that the proxy writes. A proxy that writes one of the two forms
// passes on the other as its client sent it: if they name different clients, neither can
// be trusted, and the client is unknown.
func (t Trusted) choose(standard, usual []hop) *hop {
	a, b := t.origin(standard), t.origin(usual)
	switch {
	case a == nil:
		return b
	case b != nil && a.client != b.client:
		return &hop{}
	}
	return a
}

// origin returns what the outermost trusted proxy reports; nil for nothing. Nothing
// counts beyond an unreadable element: the client is unknown.
func (t Trusted) origin(hops []hop) *hop {
	var last *hop
	for i := len(hops) - 1; i >= 0; i-- {
		if last != nil && !hops[i].client.IsValid() {
			return &hop{scheme: last.scheme, host: last.host}
		}
		last = &hops[i]
		if !t.trusts(last.client) {
			return last
		}
	}
	return last
}

// forwarded reads the header Forwarded (RFC 7239).
func forwarded(h http.Header) []hop {
	var hops []hop
	for _, element := range SplitQuoted(strings.Join(h.Values("Forwarded"), ","), ',') {
		var at hop
		for _, pair := range SplitQuoted(element, ';') {
			name, text, _ := strings.Cut(strings.TrimSpace(pair), "=")
			text = strings.Trim(text, `"`)
			switch strings.ToLower(name) {
			case "for":
				at.client = clientAddress(text)
			case "proto":
				at.scheme = strings.ToLower(text)
			case "host":
				at.host = text
			}
		}
		hops = append(hops, at)
	}
	return hops
}

// SplitQuoted splits s at separators outside quotes; an empty text has no parts. It works from
// the end, where proxies append: an unbalanced quote from the client cannot affect what they
// appended.
func SplitQuoted(s string, separator byte) (parts []string) {
	quoted, end := false, len(s)
	for i := len(s) - 1; i >= -1; i-- {
		switch {
		case i == -1, s[i] == separator && !quoted:
			if i+1 < end {
				parts = append(parts, s[i+1:end])
			}
			end = i
		case s[i] == '"' && (len(s[:i])-len(strings.TrimRight(s[:i], `\`)))%2 == 0:
			quoted = !quoted
		}
	}
	slices.Reverse(parts)
	return parts
}

// xForwarded reads the headers from before the standard. The scheme and the host are
// those of the same hop, if each hop added one; otherwise those of the nearest proxy.
func xForwarded(h http.Header) []hop {
	clients, schemes, hosts := list(h, "X-Forwarded-For"), list(h, "X-Forwarded-Proto"), list(h, "X-Forwarded-Host")
	hops := make([]hop, len(clients))
	of := func(all []string, i int) string {
		switch {
		case len(all) == 0:
			return ""
		case len(all) == len(clients):
			return all[i]
		}
		return all[len(all)-1]
	}
	for i, client := range clients {
		hops[i] = hop{clientAddress(client), strings.ToLower(of(schemes, i)), of(hosts, i)}
	}
	return hops
}

// list reads headers that have no quotes.
func list(h http.Header, name string) []string {
	all := strings.FieldsFunc(strings.Join(h.Values(name), ","), func(r rune) bool { return r == ',' })
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// clientAddress reads an address with or without a port, IPv6 also in brackets.
func clientAddress(text string) netip.Addr {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap()
	}
	address, _ := netip.ParseAddr(strings.Trim(text, "[]"))
	return address.Unmap()
}

// isHost reports whether a text can be the host in an address.
func isHost(s string) bool {
	return s != "" && len(s) <= 300 && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(".-_:[]", r))
	})
}
