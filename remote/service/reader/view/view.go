package view

import (
	"iter"
	"time"

	"paperfs/remote/service/reader/prose"
)

// Layout says whether pages stand side by side where there is room.
type Layout string

// The layouts, as the setting pageLayout names them.
const (
	Spread Layout = "spread"
	Single Layout = "single"
)

// Frame is what the pages of papers and categories have in common.
type Frame struct {
	Name        string
	Title       string  // name for use out of context, such as the window's title
	Language    string  // tag of the content's language
	Speaks      string  // tag of the buttons' language; "" for Language
	Background  string  // a colour, or ""
	Accent      string  // a colour such as #0b57d0, or ""
	Stage       string  // light or dark; any other value leaves it to the reader's system
	Site        string  // the publisher's name
	Logo        string  // address of a picture, relative to the service\'s base; or ""
	Favicon     string  // so is this
	Description string  // for search engines and shared links; "" for none
	Depth       int     // number of slashes in the address relative to the service's base, less one
	Canonical   string  // the absolute address
	Hidden      bool    // from search engines
	Bare        bool    // without the bar
	Crumbs      []Crumb // the categories above, from the top
	FromRight   bool    // pages follow each other from right to left, whatever the language
	Ends        string  // when the preview ends, as the element time has it; "" for what is published
}

// Crumb is a category above a paper or category. Address is relative, URL is absolute.
type Crumb struct{ Name, Address, URL string }

// Paper is a publication to be read.
type Paper struct {
	Frame
	Layout   Layout
	Paired   bool      // the first page stands beside the second
	Labels   []string  // what the pages are called, from the first of the paper; none if they are called by their numbers
	Maximize bool      // hide the bar until there is input
	MaxZoom  int       // percent
	Print    bool      // show a button that prints
	PDF      bool      // show a link that downloads the PDF
	Anchored bool      // the address names a page, which need not be the first of this part
	Text     bool      // show texts in place of pictures
	Counted  bool      // count the page views
	Query    string    // of links that stay in the reader, such as "?SecurityToken=x"; or ""
	Cover    Picture   // the first page's picture, with its absolute address; Address is "" for none
	Home     bool      // there is a shelf that shows this paper
	Since    time.Time // since when it is published; zero if that is unknown
	Icon     string    // relative address of a small picture; or ""
	Total    int       // number of pages of the paper
	First    int       // number of the first page of this part
	Count    int       // number of pages of this part
	Step     int       // largest number of pages of a part
	Sharp    int       // number of the first page with a large picture for browsers without scripts
	SharpEnd int       // number of the page after the last of these
	Pages    iter.Seq[Page]
	Contents []Chapter // empty if the paper has no titles
	Shop     *Shop     // nil if the paper takes no orders
}

// Chapter is a line of the contents.
type Chapter struct {
	Title string
	Page  int
	Level int     // depth, from 0
	Href  Address // address of the page, relative to the current one
}

// Page is one page. Addresses of pictures are relative to the paper; "" for none.
type Page struct {
	Number        int
	Thumb         string
	Normal, Zoom  Picture
	Text          []prose.Block
	Spots         []Spot
	Items         []Item
	TextElsewhere bool // the text is left out: the part has too much text
	TextLater     bool // the text is left out, but the text view has it
}

// Picture is a picture of a page.
type Picture struct {
	Address       string
	Width, Height int // pixels
}

// Ratio returns the width of a picture by its height.
func (p Picture) Ratio() float64 { return float64(max(p.Width, 1)) / float64(max(p.Height, 1)) }

// Spot is a hotspot: an area of a page that is a link. Positions are fractions of the page.
type Spot struct {
	Href                Address
	Name                string // for screen readers; "" for the address
	NewTab              bool
	Item                bool   // leads to an Item of this page
	Medium              string // image, video or audio that is shown over the page; or ""
	Most                int    // its largest width in pixels; 0 for any
	Page                int    // number of the target page; 0 for another target
	Chapter             string // title that begins at Page; or ""
	X, Y, Width, Height float64
	Polygon             []Point // replaces the rectangle, if not empty
}

// Point is a corner of a polygon, in fractions of the page.
type Point struct{ X, Y float64 }

// Item is a product that a spot shows.
type Item struct {
	Number            int    // on its page, from 1
	ID                string // "" if it cannot be ordered
	Name, Description string
	Price             string // decimal with a point; any text if ID is ""
}
