package reader

// ListingBounds are what one page of a category costs at the most.
type ListingBounds struct {
	Entries int // that it shows; the next page shows the next
	Look    int // nodes below the category that are looked at for it
}

// DefaultListing is the bound of a service.
var DefaultListing = ListingBounds{Entries: 1_000, Look: 50_000}

// PaperBounds are what one address of a paper shows at the most.
type PaperBounds struct {
	Pages int // an even number: a spread is not divided
	Bytes int // of their texts
	Early int // of these, what comes with the pictures; the text view has the others
	Links int
}

// DefaultPaper is the bound of a service.
var DefaultPaper = PaperBounds{Pages: 1_000, Bytes: 1 << 20, Early: 32 << 10, Links: 20_000}

// first is the number of the first page at the address of another. Parts begin
// with a left page.
func (b PaperBounds) first(page int) int { return max(1, page/b.Pages*b.Pages) }

// large is how many pages have large pictures for a browser without scripts, which loads all at once.
const large = 8 // an even number, as PaperBounds.Pages

// largeFrom is the number of the first page that has one where another is asked for.
func largeFrom(page int) int { return max(1, page/large*large) }
