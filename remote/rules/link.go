package rules

import (
	"slices"
	"strings"
)

// linkSchemes are the allowed schemes of links. A link without a scheme is an address of the
// service.
var linkSchemes = []string{"http", "https", "mailto", "tel"}

// Link reports whether an address from others may be used in a link: it must not run script on
// behalf of the reader who follows it. Browsers remove control characters before they parse the
// scheme, so Link allows none.
func Link(address string) (scheme string, ok bool) {
	for _, r := range address {
		if r < 0x20 || r == 0x7f {
			return "", false
		}
	}
	at := strings.IndexAny(address, ":/?#")
	if at < 0 || address[at] != ':' {
		return "", true
	}
	scheme = strings.ToLower(Trim(address[:at]))
	return scheme, slices.Contains(linkSchemes, scheme)
}
