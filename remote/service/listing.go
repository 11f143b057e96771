package service

import (
	"errors"
	"net/url"
	"strconv"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// listingBounds are what one page of a category costs at the most.
type listingBounds struct {
	entries int // that it shows; the next page shows the next
	look    int // nodes below the category that are looked at for it
}

var defaultListing = listingBounds{entries: 1_000, look: 50_000}

// errEnough ends a walk at a bound.
var errEnough = errors.New("enough was looked at")

// listingPage is the number of the page that is asked for, from 1. What is no
// number asks for the first.
func listingPage(query url.Values) int {
	number, err := strconv.ParseInt(query.Get("Page"), 10, 32)
	if err != nil || number < 1 {
		return 1
	}
	return int(number)
}

// list gives what a page of a category shows: its published papers and those
// of its categories that have any below them. A category without any is not
// there, nor a page without entries.
func (p *publicPage) list(s *Service, tx store.Reader, category store.Node, number int, yield func(publicEntry) bool) error {
	bounds, now := s.listing, s.now()
	skip := (number - 1) * bounds.entries
	p.Next, p.Short = 0, false
	var child store.Node // on the way to the node visited
	found, looked := 0, 0
	err := tx.Walk(category.ID, func(n store.Node, depth int) error {
		if looked++; looked > bounds.look {
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
		case found > skip+bounds.entries:
			p.Next = number + 1
			return errEnough
		case !yield(publicEntry{child.Name, child.URLName + "/", child.Kind == remote.CategoryNode}):
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
