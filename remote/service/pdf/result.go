package pdf

// Page is what was made of one page.
type Page struct {
	Number      int // in the document, from 1
	Text        string
	Lines       []Line  // none where there are too many, of the page or of the pages before
	Images      []Image // as Sizes
	Links       []Link
	LinkFailure string // why the links could not be read; "" where they were
}

// Line is a line of a page's text. Its corner and size are fractions of the page as it
// is shown, from the top left.
type Line struct {
	X, Y, Width, Height float64
	Text                string
	Words               []float64 // where each word of Text begins and ends, from the left; nil where that is not known
}

// Image is a picture of a page.
type Image struct {
	Width, Height int // pixels
	JPEG          []byte
}

// Link is an area that leads to an address or to a page. Its corner and size
// are fractions of the page as it is shown, from the top left.
type Link struct {
	X, Y, Width, Height float64
	URI                 string // "" where it leads to a page
	Page                int    // number in the document, 0 where it leads to an address
	Name                string // the text under it, in one line; or ""
}

// Bookmark leads to a page.
type Bookmark struct {
	Page  int    // number in the document
	Level int    // bookmarks above it
	Title string // in one line; or ""
}

// Outline are the bookmarks that lead to pages, in their order.
type Outline []Bookmark

// Attachment is a file that is attached to a PDF.
type Attachment struct {
	Name    string
	Content []byte
}

// Sink takes results in the order of the pages. Its methods are called from
// one goroutine; an error ends the job and is returned by Process.
type Sink interface {
	// Begin tells how many pages will come. With it come the tables that are attached
	// to the document, where they are wanted, and why not all of them do ("" where all
	// do).
	Begin(pages int, tables []Attachment, tableFailure string) error
	Page(Page) error
	// Outline comes after the last page.
	Outline(Outline) error
}
