package reader

// ListingBounds limit the cost of one page of a category.
type ListingBounds struct {
	Entries int // entries on a page; further ones are on the next page
	Look    int // nodes below the category that are visited for a page
}

// DefaultListing is the default of a service.
var DefaultListing = ListingBounds{Entries: 1_000, Look: 50_000}

// PaperBounds limit the part of a paper that one address shows.
type PaperBounds struct {
	Pages int // even, so that no spread is divided
	Bytes int // of the pages' texts
	Early int // bytes of text sent along with the pictures; the text view has the rest
	Links int
}

// DefaultPaper is the default of a service.
var DefaultPaper = PaperBounds{Pages: 1_000, Bytes: 1 << 20, Early: 8 << 10, Links: 20_000}

// first returns the number of the first page of the part that contains page. Every part
// except the first begins with a left page.
func (b PaperBounds) first(page int) int { return max(1, page/b.Pages*b.Pages) }

// large is the number of pages that have large pictures for a browser without scripts,
// which loads all pictures at once.
const large = 8 // even, as PaperBounds.Pages

// largeFrom returns the number of the first page with a large picture when page is requested.
func largeFrom(page int) int { return max(1, page/large*large) }
