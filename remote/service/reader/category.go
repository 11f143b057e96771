package reader

import (
	"net/http"
	"net/url"
	"strconv"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// ListingBounds are what one page of a category costs at the most.
type ListingBounds struct {
	Entries int // that it shows; the next page shows the next
	Look    int // nodes below the category that are looked at for it
}

// DefaultListing is the bound of a service.
var DefaultListing = ListingBounds{Entries: 1_000, Look: 50_000}

// entry is a line in the page of a category.
type entry struct {
	Name     string
	Address  string // relative to the category's
	Category bool
}

// showCategory has the page of a category list what is visible below it.
func (s *Reader) showCategory(p *page, tx store.Reader, r *http.Request, category store.Node) {
	number := listingPage(r.URL.Query())
	p.Entries = func(yield func(entry) bool) { p.err = s.list(p, tx, category, number, yield) }
}

// listingPage is the number of the page that is asked for, from 1. What is no
// number asks for the first.
func listingPage(query url.Values) int {
	number, err := strconv.ParseInt(query.Get("Page"), 10, 32)
	if err != nil || number < 1 {
		return 1
	}
	return int(number)
}

// list yields what a page of a category shows: its published papers and those
// of its categories that have any below them. A category without any is not
// there, nor a page without entries.
func (s *Reader) list(p *page, tx store.Reader, category store.Node, number int, yield func(entry) bool) error {
	now := s.Now()
	skip := (number - 1) * s.Listing.Entries
	p.Next, p.Short = 0, false
	var child store.Node // on the way to the node visited
	found, looked := 0, 0
	err := tx.Walk(category.ID, func(n store.Node, depth int) error {
		if looked++; looked > s.Listing.Look {
			p.Short = true
			return errEnough
		}
		if depth == 1 {
			child = n
		}
		if depth == 0 || n.Kind != remote.PaperNode || !visible(n.Period, now) {
			return nil
		}
		found++
		switch {
		case found <= skip:
		case found > skip+s.Listing.Entries:
			p.Next = number + 1
			return errEnough
		case !yield(entry{child.Name, child.URLName + "/", child.Kind == remote.CategoryNode}):
			return errEnough
		}
		return store.Leave(1)
	})
	switch {
	case err != nil && err != errEnough:
		return err
	case found <= skip:
		return store.ErrNotFound
	}
	return nil
}
