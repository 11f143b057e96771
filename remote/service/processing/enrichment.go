package processing

import (
	"errors"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"

	"paperfs/remote/service/pdf"
	"paperfs/remote/service/product"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// mostProblems is how many the reason of a job names.
const mostProblems = 20

// What links to products a paper has at the most: each word of its text could be the Id
// of a product, and each product is described with every link.
const (
	mostItems = 100_000
	itemBytes = 64 << 20
)

// longestNamed is how many bytes of a name or failure a reason has.
const longestNamed = 200

// enrichment makes links of what a PDF and a table of products say.
type enrichment struct {
	table    product.Table   // by the media library, else by the PDF
	unread   bool            // a table could not be read: what table lacks may be in it
	problems []string        // in words
	noted    map[uint64]bool // hashes of all problems, named or not
	more     int             // that are not named

	ids       *idIndex          // those of the table that are looked for in the text; nil before they are
	fragments map[string]string // by Id: links of one product share what describes it
	items     int               // links to products
	bytes     int               // of what describes their products
	full      bool              // there are more than a paper has
}

// problem notes a problem once. Names from tables and documents are cut: they may be long.
func (e *enrichment) problem(format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok && len(text) > longestNamed {
			args[i] = strings.ToValidUTF8(text[:longestNamed], "") + "…"
		}
	}
	text := fmt.Sprintf(format, args...)
	hash := maphash.String(problemSeed, text)
	switch {
	case e.noted[hash]:
		return
	case e.noted == nil:
		e.noted = map[uint64]bool{}
	}
	e.noted[hash] = true
	if len(e.problems) == mostProblems {
		e.more++
		return
	}
	e.problems = append(e.problems, text)
}

var problemSeed = maphash.MakeSeed()

// unreadable notes a table that cannot be read.
func (e *enrichment) unreadable(format string, args ...any) {
	e.unread = true
	e.problem(format, args...)
}

// reason is all problems in words; "" for none.
func (e *enrichment) reason() string {
	text := strings.Join(e.problems, " ")
	if e.more > 0 {
		text += fmt.Sprintf(" And %d more.", e.more)
	}
	return text
}

// add adds the products of a table; those that are there already stay.
func (e *enrichment) add(name string, text []byte) {
	table, err := product.Parse(text)
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

// addAttached adds the one attached table that has products.
func (e *enrichment) addAttached(tables []pdf.Attachment, failure string) {
	if failure != "" {
		e.unreadable("%s", failure)
	}
	found := ""
	for _, a := range tables {
		if _, err := product.Parse(a.Content); errors.Is(err, product.ErrNoID) {
			continue
		}
		if found != "" {
			e.problem("Of the attached tables %s and %s, both with a column Id, only the first counts.", found, a.Name)
			return
		}
		found = a.Name
		e.add(a.Name, a.Content)
	}
}

// link makes the link of a tag: it has the place of a link already. It reports false
// where there is none.
func (e *enrichment) link(l store.Link, tag product.Tag) (store.Link, bool) {
	p, known := e.table[tag.ID]
	label := func() {
		if text := p.Label(); text != "" {
			l.AltText = text
		}
	}
	switch {
	case tag.Kind == product.PageLink && !known && page(tag.ID) > 0:
		p.URL = tag.ID
	case tag.Kind != product.Shop && tag.Kind != product.ExternalLink && tag.Kind != product.PageLink:
		e.problem("Page %d: links of the kind %q are not known.", l.Page, tag.Kind)
		return l, false
	case !known:
		e.problem("Page %d: there is no data of %q.", l.Page, tag.ID)
		return l, false
	}
	label()
	switch tag.Kind {
	case product.Shop:
		if !e.hasRoom(l.Page, p) {
			return l, false
		}
		return e.shopItem(l, p), true
	case product.PageLink:
		to := page(p.URL)
		if to == 0 {
			e.problem("Page %d: the Url of %q is no page number.", l.Page, tag.ID)
		}
		l.LinkType, l.URL = "page", fmt.Sprintf("#p%d", to)
		return l, to > 0
	}
	if _, ok := value.Link(p.URL); !ok || p.URL == "" {
		e.problem("Page %d: the Url of %q cannot be followed.", l.Page, tag.ID)
		return l, false
	}
	l.LinkType, l.URL, l.Target = "url", p.URL, p.Target
	return l, true
}

// page reads a page number, which may stand as in the address of a page; 0 for none.
func page(text string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(text), "#p"))
	if err != nil || n < 1 || n > store.MaxID {
		return 0
	}
	return n
}

// hasRoom counts one more link to a product, or reports false and says so once.
func (e *enrichment) hasRoom(page int, p product.Product) bool {
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

// shopItem makes the link show a product.
func (e *enrichment) shopItem(l store.Link, p product.Product) store.Link {
	if p.BadPrice != "" {
		e.problem("Page %d: the price %q of %q is no number.", l.Page, p.BadPrice, p.ID)
	}
	l.LinkType, l.URL, l.Param = "shopitem", "", e.fragment(p)
	return l
}

// fragment describes a product of the table, in the same memory for all its links.
func (e *enrichment) fragment(p product.Product) string {
	text, known := e.fragments[p.ID]
	if !known {
		if e.fragments == nil {
			e.fragments = map[string]string{}
		}
		text = product.Fragment(p)
		e.fragments[p.ID] = text
	}
	return text
}

// renew gives a link that stays what the table says of its product now. One that the
// table lacks is sold no more: it loses its price, without which nobody can order it.
// What an import brought was never in a table, and of what nobody could read nobody knows.
func (e *enrichment) renew(l store.Link) store.Link {
	if l.LinkType != "shopitem" || e.table == nil {
		return l
	}
	old := product.ParseFragment(l.Param)
	if p, known := e.table[old.ID]; known {
		l.Param = e.fragment(p)
	} else if !l.Imported && !e.unread {
		old.Price = ""
		l.Param = product.Fragment(old)
	}
	return l
}
