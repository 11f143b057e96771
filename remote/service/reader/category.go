package reader

import (
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// ListingBounds are what one page of a category costs at the most.
type ListingBounds struct {
	Entries int // that it shows; the next page shows the next
	Look    int // nodes below the category that are looked at for it
}

// DefaultListing is the bound of a service.
var DefaultListing = ListingBounds{Entries: 1_000, Look: 50_000}

// shelf is the page of a category.
type shelf struct {
	view.Shelf
	next  int  // number of the page with more entries; 0 for none, and before these were read
	short bool // there may be more that was not looked at
	err   error
}

// openShelf finds what the page of a category lists: what is visible below it.
func (s *Reader) openShelf(tx store.Reader, r *http.Request, tenant store.Tenant, category store.Node) (*shelf, error) {
	frame, _, err := s.frame(tx, r, tenant, category)
	if err != nil {
		return nil, err
	}
	page := number(r.URL.Query())
	sh := &shelf{Shelf: view.Shelf{Frame: frame}}
	sh.Entries = func(yield func(view.Entry) bool) { sh.err = s.list(sh, tx, category, page, yield) }
	sh.Next = func() int { return sh.next }
	sh.Short = func() bool { return sh.short }
	return sh, sh.there()
}

// there is the failure of a category that has nothing to show.
func (sh *shelf) there() error {
	for range sh.Entries {
		return nil
	}
	return sh.err
}

// list yields what a page of a category shows: its published papers and those
// of its categories that have any below them. A category without any is not
// there, nor a page without entries.
func (s *Reader) list(sh *shelf, tx store.Reader, category store.Node, number int, yield func(view.Entry) bool) error {
	now := s.Now()
	skip := (number - 1) * s.Listing.Entries
	sh.next, sh.short = 0, false
	var child store.Node // on the way to the node visited
	found, looked := 0, 0
	err := tx.Walk(category.ID, func(n store.Node, depth int) error {
		if looked++; looked > s.Listing.Look {
			sh.short = true
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
			sh.next = number + 1
			return errEnough
		case !yield(view.Entry{Name: child.Name, Address: child.URLName + "/", Category: child.Kind == remote.CategoryNode}):
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
