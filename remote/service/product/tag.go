package product

import (
	"net/url"
	"strings"
)

// Kind says what a tagged link does.
type Kind string

// The known kinds.
const (
	Shop         Kind = "Shop"         // shows a product that can be ordered
	ExternalLink Kind = "ExternalLink" // leads to the product's Url
	PageLink     Kind = "PageLink"     // leads to the page whose number is the product's Url, or the Id itself
)

// Tag is a link of a PDF that names a product.
type Tag struct {
	Kind Kind // may be an unknown one
	ID   string
}

const scheme = "ipaper://"

// ParseTag reads the address ipaper://KIND/ID, optionally followed by the name of an
// appearance. It returns false for an address of another form.
func ParseTag(address string) (t Tag, ok bool) {
	if len(address) < len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return t, false
	}
	kind, rest, _ := strings.Cut(address[len(scheme):], "/")
	id, _, _ := strings.Cut(rest, "/")
	if plain, err := url.PathUnescape(id); err == nil {
		id = plain
	}
	t = Tag{Kind(clean(kind)), clean(strings.ToValidUTF8(id, ""))}
	for _, known := range []Kind{Shop, ExternalLink, PageLink} {
		if strings.EqualFold(kind, string(known)) {
			t.Kind = known
		}
	}
	return t, true
}
