package store

import (
	"strconv"
	"strings"
	"time"
)

// Page is one page of a paper.
type Page struct {
	ID          int64
	Number      int // 1, 2, 3, ... without gaps
	PartOfIndex bool
	Text        string
	Titles      string  // as in Title; only PageWriter uses it
	Layer       []byte  // where the text lies on the page (see PageReader.Layer); nil if unknown
	Images      []Image // by type: Zoom, Normal, Thumb
}

// Title holds the entries of a paper's table of contents that lead to a page: one or more lines.
type Title struct {
	Page  int
	Lines string
}

// TitleLine returns a line of a Title: indented by one tab per level, with the place among all of the paper
// after another tab.
func TitleLine(level int, title string, place int) string {
	return strings.Repeat("\t", level) + title + "\t" + strconv.Itoa(place)
}

// ParseTitleLine reads a line of a Title. Older ones have no place: 0.
func ParseTitleLine(line string) (level int, title string, place int) {
	title = strings.TrimLeft(line, "\t")
	level = len(line) - len(title)
	title, text, _ := strings.Cut(title, "\t")
	place, _ = strconv.Atoi(text)
	return level, title, place
}

// Image is a picture of a page. It is at a URL outside the service or, if Bytes is not 0, in the
// images of the paper's Rendition from offset Start on.
type Image struct {
	Type          string // Zoom, Normal or Thumb
	SizeKB        int64
	URL           string
	Start, Bytes  int64
	Width, Height int // pixels, of an image that the service stores
	Page          int // number of its page; only PageImage fills it in
}

// Processing describes the PDF that a paper was last made from.
type Processing struct {
	At    time.Time // UTC, to the second
	PDFKB int64
}

// Accepted is a PDF that was accepted for a paper.
type Accepted struct {
	Sum  [32]byte // SHA-256 of the PDF and its options
	Size int64    // bytes of the PDF
	Job  string   // GUID
	// Edition is that of the paper now; Accept ignores it.
	Edition int64
}

// PageReader finds pages.
type PageReader interface {
	// Pages visits the pages of a paper by number. If text is false, Text and Layer are empty.
	Pages(paper int64, text bool, visit func(Page) error) error
	// Covers returns the first page of each of the papers that has pages, with its images but
	// without its text.
	Covers(papers []int64) (map[int64]Page, error)
	// Titles returns the titles of the pages that have any, by number.
	Titles(paper int64) ([]Title, error)
	// Layer returns the stored positions of a page's text, exactly as written; nil if they are
	// unknown. ErrNotFound: the paper has no such page.
	Layer(paper, page int64) ([]byte, error)
	// PageCount returns the number of a paper's last page; 0 if it has no pages.
	PageCount(paper int64) (int, error)
	// Edition returns a number that differs after any change of a paper's pages, its links, or a
	// media file that a link leads to. It is random, so that it also differs after an older state
	// was restored. It is also the edition that clients see; ReplacePages and ReplaceLinks replace it.
	Edition(paper int64) (int64, error)
	// Accepted returns what the last Accept of a paper recorded, all zero if there was none, and the
	// paper's edition.
	Accepted(paper int64) (Accepted, error)
	// PagesContaining returns, for all papers at or below a node, the ascending numbers of the
	// pages whose text contains a phrase (see Phrase). The result depends on nothing else.
	// ErrSlow: the engine, which serves many callers, has no time for so long a search.
	PagesContaining(node int64, phrase string) (map[int64][]int, error)
	// Processing returns how a paper was last processed; ErrNotFound if it never was.
	Processing(paper int64) (Processing, error)
	// Processings visits those of the papers that were processed, in any order.
	Processings(papers []int64, visit func(paper int64, p Processing) error) error
}

// PageWriter changes pages.
type PageWriter interface {
	// ReplacePages replaces the pages of a paper. The new pages get new ids.
	ReplacePages(paper int64, pages []Page) error
	// CopyPages copies the pages of a paper to one that has none, with when it was processed and the values of its custom fields.
	CopyPages(from, to int64) error
	SetProcessing(paper int64, p Processing) error
	// Accept records a PDF, and returns the new edition of the paper.
	Accept(paper int64, a Accepted) (edition int64, err error)
}
