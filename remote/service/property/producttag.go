package property

import (
	"net/url"
	"strings"
)

// TagKind says what a tagged link does.
type TagKind string

// The known kinds.
const (
	Shop         TagKind = "Shop"         // shows a product that can be ordered
	ExternalLink TagKind = "ExternalLink" // leads to the product's Url
	PageLink     TagKind = "PageLink"     // leads to the page whose number is the product's Url, or the Id itself
)

// ProductTag is a link of a PDF that names a product.
type ProductTag struct {
	Kind TagKind // may be an unknown one
	ID   string
}

// TagKinds are all known kinds. Those that have no name here show the product's MediaUrl over the page.
var TagKinds = []TagKind{Shop, ExternalLink, PageLink, "InlineImage", "PopupImage", "InlineVideo", "PopupVideo"}

const scheme = "ipaper://"

// ParseProductTag reads the address ipaper://KIND/ID, optionally followed by the name of an
// appearance. It returns false for an address of another form.
func ParseProductTag(address string) (t ProductTag, ok bool) {
	if len(address) < len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return t, false
	}
	kind, rest, _ := strings.Cut(address[len(scheme):], "/")
	id, _, _ := strings.Cut(rest, "/")
	if plain, err := url.PathUnescape(id); err == nil {
		id = plain
	}
	t = ProductTag{TagKind(clean(kind)), clean(strings.ToValidUTF8(id, ""))}
	for _, known := range TagKinds {
		if strings.EqualFold(kind, string(known)) {
			t.Kind = known
		}
	}
	return t, true
}
