package pdf

import "time"

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

// Sizes are the lengths of the longer side of a page's images, in pixels, and
// the quality of the JPEGs. The first is rendered; each of the others is an
// integer fraction of the one before it.
var Sizes = []struct{ Longest, Quality int }{{1600, 75}, {800, 75}, {200, 75}}

// Limits of a job. A zero field stands for its default.
type Limits struct {
	Pages  int           // that are processed; the document may have more
	Text   int64         // bytes of the text of all pages
	Links  int           // of all pages
	Lines  int           // of all pages; what comes behind has its text without them
	Memory int64         // bytes of a worker's own memory
	Page   time.Duration // until the next page is there; for the first, from when PDFium runs
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
