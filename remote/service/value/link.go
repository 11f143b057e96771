package value

import (
	"slices"
	"strings"

	"paperfs/remote/rules"
)

// linkSchemes are those that a link may have. A link without one is an
// address of the service.
var linkSchemes = []string{"http", "https", "mailto", "tel"}

// Link reports whether an address may stand in a link that others made: it
// must not act in the name of the reader who follows it. Browsers leave out control
// characters before they look for the scheme; here there may be none.
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
	scheme = strings.ToLower(rules.Trim(address[:at]))
	return scheme, slices.Contains(linkSchemes, scheme)
}
