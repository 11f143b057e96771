package pdf

import (
	"fmt"
	"strings"
	"time"
)

// Job says what is to be made of a PDF.
type Job struct {
	Password  string
	From, To  int // pages, from 1, both included; 0, 0 = all
	Watermark *Watermark
	Tables    bool // attached CSV files are wanted
}

// Watermark is a line of text at the bottom left of a page's images.
type Watermark struct {
	Text      string
	Opacity   float64 // 0 to 1
	FontSize  int     // in points
	FirstOnly bool    // on the first page only
}

// Page is what was made of one page.
type Page struct {
	Number      int // in the document, from 1
	Text        string
	Lines       []Line  // none where there are too many, of the page or of the pages before
	Images      []Image // as Sizes
	Links       []Link
	LinkFailure string // why the links could not be read; "" where they were
}

// Image is a picture of a page.
type Image struct {
	Width, Height int // pixels
	JPEG          []byte
}

// Sizes are the lengths of the longer side of a page's images, in pixels, and
// the quality of the JPEGs. The first is rendered; each of the others is an
// integer fraction of the one before it.
var Sizes = []struct{ Longest, Quality int }{{1600, 75}, {800, 75}, {200, 75}}

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

// Limits of a job. A zero field stands for its default.
type Limits struct {
	Pages  int           // of the document
	Text   int64         // bytes of the text of all pages
	Links  int           // of all pages
	Lines  int           // of all pages; what comes behind has its text without them
	Memory int64         // bytes of a worker's own memory
	Page   time.Duration // until the next page is there
	Total  time.Duration // for all
}

// WithDefaults fills in what is not set.
func (l Limits) WithDefaults() Limits {
	d := Limits{Pages: 5000, Text: 128 << 20, Links: 200_000, Lines: 1_000_000, Memory: 1 << 30, Page: time.Minute, Total: time.Hour}
	setDefault(&l.Pages, d.Pages)
	setDefault(&l.Text, d.Text)
	setDefault(&l.Links, d.Links)
	setDefault(&l.Lines, d.Lines)
	setDefault(&l.Memory, d.Memory)
	setDefault(&l.Page, d.Page)
	setDefault(&l.Total, d.Total)
	return l
}

func setDefault[T comparable](field *T, value T) {
	if *field == *new(T) {
		*field = value
	}
}

// Failure is the reason why a PDF could not be processed, in words for people.
// Trying again would end the same way.
type Failure struct{ Reason string }

func (f *Failure) Error() string { return f.Reason }

// words tells an error of PDFium in one line. It ends with a trap where its
// memory is used up, and where a document has led it astray.
func words(err error) string {
	if strings.Contains(err.Error(), "wasm error") {
		return "PDFium gave up, because the PDF is damaged or needs more memory than the limit allows"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

func failf(format string, args ...any) *Failure { return &Failure{fmt.Sprintf(format, args...)} }
