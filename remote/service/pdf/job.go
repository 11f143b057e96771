package pdf

import "time"

// Job says how to process a PDF.
type Job struct {
	Password  string
	From, To  int // pages, from 1, both included; 0, 0 = all
	Watermark *Watermark
	Tables    bool // also return attached CSV files
	Tile      Tile // to be drawn in place of the page
}

// Tile is a part of a page: of a grid of Times × Times tiles that are each as large as the picture of the page in
// tileSize. Zero Times are the page itself, in the first of Sizes. Somebody looks at a tile, but papers that are processed
// have precedence.
type Tile struct{ Times, Column, Row int }

// tileSize lets four times as many pixels be enough for a phone that has three to a point, and shows A4 at 400 %: 1.27 of its
// pixels for one. Browsers keep what they decoded, so more of them would cost memory.
const tileSize = 1280

// Watermark is a line of text at the bottom left of a page's images.
type Watermark struct {
	Text      string
	Opacity   float64 // 0 to 1
	FontSize  int     // in points
	FirstOnly bool    // on the first page only
}

// Sizes are the lengths of the longer side of a page's images, or the widths if the page is long, in pixels, and
// the quality of the JPEGs. The worker renders the first; each other size is an
// integer fraction of the previous one.
var Sizes = []struct{ Longest, Quality int }{{1600, 75}, {800, 75}, {200, 75}}

// Limits of a job. A zero field stands for its default.
type Limits struct {
	Pages  int           // processed pages; the document may have more
	Text   int64         // bytes of text of all pages
	Links  int           // of all pages
	Lines  int           // of all pages; later pages have text without lines
	Memory int64         // bytes of a worker's own memory
	Page   time.Duration // processor time between two pages; for the first, since PDFium's start
	Total  time.Duration // of the job, without the time that results wait for
}

// WithDefaults returns the limits with defaults for zero fields.
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
