package processing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// Bounds of a paper's links to products: each word of its text could be the Id of a
// product, and every link has the description of its product.
const (
	mostItems = 100_000
	itemBytes = 64 << 20
)

// enrichment makes links from a PDF and a table of products.
type enrichment struct {
	table  property.ProductTable // from the media library and the PDF; the library's entries win
	unread bool                  // a table could not be read: it may have products that table lacks
	store  store.Store           // to find media, for the job
	work   store.Work
	failed error // of the store
	problems

	ids       *idIndex          // Ids of the table to find in the text; nil before the first search
	fragments map[string]string // descriptions of products by Id, shared by their links
	items     int               // links to products
	bytes     int               // of the descriptions in those links
	full      bool              // the paper has more links than the bounds allow
}

// unreadable notes a table that cannot be read.
func (e *enrichment) unreadable(format string, args ...any) {
	e.unread = true
	e.problem(format, args...)
}

// add adds the products of a table. Products that were added before stay.
func (e *enrichment) add(name string, text []byte) {
	table, err := property.ParseProducts(text)
	if err != nil {
		e.unreadable("The table %s cannot be read: %v.", name, err)
		return
	}
	if e.table == nil {
		e.table = table
		return
	}
	for id, p := range table {
		if _, again := e.table[id]; !again {
			e.table[id] = p
		}
	}
}

// addAttached adds the first attached table that has products.
func (e *enrichment) addAttached(tables []pdf.Attachment, failure string) {
	if failure != "" {
		e.unreadable("%s", failure)
	}
	found := ""
	for _, a := range tables {
		if _, err := property.ParseProducts(a.Content); errors.Is(err, property.ErrNoID) {
			continue
		}
		if found != "" {
			e.problem("The attached tables %s and %s both have a column Id; only the first is used.", found, a.Name)
			return
		}
		found = a.Name
		e.add(a.Name, a.Content)
	}
}

// link turns l, which has its place on the page, into the link of a tag. It reports false
// if there is no such link.
func (e *enrichment) link(l store.Link, tag property.ProductTag) (store.Link, bool) {
	p, known := e.table[tag.ID]
	switch {
	case tag.Kind == property.PageLink && !known && page(tag.ID) > 0:
		p.URL = tag.ID
	case !slices.Contains(property.TagKinds, tag.Kind):
		e.problem("Page %d: unknown kind of link %q.", l.Page, tag.Kind)
		return l, false
	case !known:
		e.problem("Page %d: no table has a product with the Id %q.", l.Page, tag.ID)
		return l, false
	}
	l.AltText = cmp.Or(p.Label(), l.AltText)
	switch tag.Kind {
	case property.Shop:
		if !e.hasRoom(l.Page, p) {
			return l, false
		}
		return e.shopItem(l, p), true
	case property.PageLink:
		to := page(p.URL)
		if to == 0 {
			e.problem("Page %d: the Url of %q is not a page number.", l.Page, tag.ID)
		}
		l.LinkType, l.URL = "page", fmt.Sprintf("#p%d", to)
		return l, to > 0
	case property.ExternalLink:
		popup, ok := rules.Bool(p.AsPopup, false)
		if !ok {
			e.problem("Page %d: the AsPopup %q of %q is neither true nor false.", l.Page, p.AsPopup, p.ID)
		}
		if popup {
			if shown, ok := e.medium(l, p, "Url", p.URL); ok {
				return shown, true
			}
		}
	default:
		return e.medium(l, p, "MediaUrl", p.MediaURL)
	}
	if _, ok := rules.Link(p.URL); !ok || p.URL == "" {
		e.problem("Page %d: the Url of %q is not a valid address.", l.Page, tag.ID)
		return l, false
	}
	l.LinkType, l.URL, l.Target = "url", p.URL, p.Target
	return l, true
}

// page reads a page number, which may have the form #p12; 0 for none.
func page(text string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(text), "#p"))
	if err != nil || n < 1 || n > store.MaxID {
		return 0
	}
	return n
}

// hasRoom counts one more link to a product. It returns false if there is no room, and
// notes that problem once.
func (e *enrichment) hasRoom(page int, p property.Product) bool {
	size := len(e.fragment(p))
	if e.items < mostItems && e.bytes+size <= itemBytes {
		e.items++
		e.bytes += size
		return true
	}
	if !e.full {
		e.full = true
		e.problem("Page %d: more than %d links to products, or more than %d MiB in them: the others are left out.", page, mostItems, itemBytes>>20)
	}
	return false
}

// shopItem turns a link into a link to a product.
func (e *enrichment) shopItem(l store.Link, p property.Product) store.Link {
	if p.BadPrice != "" {
		e.problem("Page %d: the price %q of %q is not a number.", l.Page, p.BadPrice, p.ID)
	}
	l.LinkType, l.URL, l.Param = "shopitem", "", e.fragment(p)
	return l
}

// fragment returns the description of a product, which all its links share in memory.
func (e *enrichment) fragment(p property.Product) string {
	text, known := e.fragments[p.ID]
	if !known {
		if e.fragments == nil {
			e.fragments = map[string]string{}
		}
		text = property.ProductFragment(p)
		e.fragments[p.ID] = text
	}
	return text
}

// renew updates a preserved link to a product from the table. A product that the table
// lacks is not sold any more: its link loses the price, and without a price nobody can
// order it. Links from an import keep their price, because their products were never in
// a table; so do all links if a table could not be read.
func (e *enrichment) renew(l store.Link) store.Link {
	if l.LinkType != "shopitem" || e.table == nil {
		return l
	}
	old := property.ParseProductFragment(l.Param)
	if p, known := e.table[old.ID]; known {
		l.Param = e.fragment(p)
	} else if !l.Imported && !e.unread {
		old.Price = ""
		l.Param = property.ProductFragment(old)
	}
	return l
}
