package pdf

// Page is the result of one page.
type Page struct {
	Number      int // in the document, from 1
	Text        string
	Lines       []Line  // none if this page or the earlier ones have too many
	Images      []Image // in the order of Sizes
	Links       []Link
	LinkFailure string   // why the links cannot be read; "" if they were
	Warnings    []string // what of the page is not as its publisher sees it
}

// Line is a line of a page's text. Its corner and size are fractions of the displayed page,
// from the top left.
type Line struct {
	X, Y, Width, Height float64
	Text                string
	Words               []float64 // where each word of Text begins and ends, from the left; nil if unknown
}

// Image is a picture of a page.
type Image struct {
	Width, Height int // pixels
	JPEG          []byte
}

// Link is an area that leads to an address or to a page. Its corner and size
// are fractions of the displayed page, from the top left.
type Link struct {
	X, Y, Width, Height float64
	URI                 string // "" if the link leads to a page
	Page                int    // number in the document; 0 if the link leads to an address
	Name                string // the text under it, in one line; or ""
}

// Bookmark leads to a page.
type Bookmark struct {
	Page  int    // number in the document
	Level int    // number of ancestors
	Title string // in one line; or ""
}

// Outline are the bookmarks that lead to pages, in their order.
type Outline []Bookmark

// Attachment is a file that is attached to a PDF.
type Attachment struct {
	Name    string
	Content []byte
}

// Sink receives results in the order of the pages. Process calls its methods from
// one goroutine. An error of a method ends the job, and Process returns it.
type Sink interface {
	// Begin gets the number of pages, the attached tables if the job asks for them, and
	// why some of these are missing ("" if none is).
	Begin(pages int, tables []Attachment, tableFailure string) error
	Page(Page) error
	// End is called after the last page.
	End(Outline, Wishes) error
}
