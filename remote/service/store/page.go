package store

import "time"

// Page is one page of a paper.
type Page struct {
	ID          int64
	Number      int // from 1, dense
	PartOfIndex bool
	Text        string
	// For PageWriter only: titles as in Title, and where the text lies (see Layer);
	// nil for unknown.
	Titles string
	Layer  []byte
	Images []Image // by type: Zoom, Normal, Thumb
}

// Title has what the contents of a paper say of a page: one line or several, each with
// a tab for each level that it is below the first.
type Title struct {
	Page  int
	Lines string
}

// Image is a picture of a page: at an address outside the service, or, where
// Bytes is not 0, in the images of the paper's Rendition from Start on.
type Image struct {
	Type          string // Zoom, Normal or Thumb
	SizeKB        int64
	URL           string
	Start, Bytes  int64
	Width, Height int // pixels, of an image kept here
}

// Processing is what is known of the PDF a paper was made from.
type Processing struct {
	At    time.Time // UTC, to the second
	PDFKB int64
}

// PageReader finds pages.
type PageReader interface {
	// Pages visits the pages of a paper by number. Without text, Text is empty.
	Pages(paper int64, text bool, visit func(Page) error) error
	// Covers returns the first page of each of the papers that has any, with its images and
	// without its text.
	Covers(papers []int64) (map[int64]Page, error)
	// Titles returns the titles of the pages that have any, by number.
	Titles(paper int64) ([]Title, error)
	// Layer returns where the text of a page lies, as it was written; nil where that is
	// not known, ErrNotFound for a page that the paper does not have.
	Layer(paper, page int64) ([]byte, error)
	// PageCount is the number of the last page of a paper; 0 for none.
	PageCount(paper int64) (int, error)
	// Edition is another number after any change of a paper's pages, its links, or a
	// media file that these lead to: a random one, also after an older state was
	// restored.
	Edition(paper int64) (int64, error)
	// PagesContaining returns the numbers, ascending, of the pages whose text
	// contains a phrase (see Phrase), for all papers at or below a node.
	// The result depends on nothing but that. ErrSlow: an engine that is asked by
	// many has no time for so long a search.
	PagesContaining(node int64, phrase string) (map[int64][]int, error)
	// Processing returns when a paper was processed last; ErrNotFound for never.
	Processing(paper int64) (Processing, error)
	// Processings visits that of papers that were processed, in any order.
	Processings(papers []int64, visit func(paper int64, p Processing) error) error
}

// PageWriter changes pages.
type PageWriter interface {
	// ReplacePages puts pages in place of those that a paper has. They get new
	// ids.
	ReplacePages(paper int64, pages []Page) error
	SetProcessing(paper int64, p Processing) error
}
