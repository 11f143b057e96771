package view

import (
	"html/template"
	"iter"
)

// Layout is how pages stand beside each other where there is room.
type Layout string

// The layouts, as the setting pageLayout names them.
const (
	Spread Layout = "spread"
	Single Layout = "single"
)

// Frame is what all pages have.
type Frame struct {
	Name       string
	Title      string // tells the page from others
	Language   string // tag of what is read
	Speaks     string // tag of the buttons' language; "" for the same
	Background string // a colour, or ""
	Depth      int    // slashes of the address below the service's base, less one
	Canonical  string // the whole address
	Hidden     bool   // not for search engines
	Bare       bool   // without the bar
}

// Paper is a publication to be read.
type Paper struct {
	Frame
	Layout   Layout
	Maximize bool   // the bar hides until it is wanted
	MaxZoom  int    // percent
	Print    bool   // a button prints
	PDF      bool   // a link downloads the PDF
	Led      bool   // by an address of a page, which need not be the first here
	Text     bool   // texts are shown in place of pictures
	Counted  bool   // what is looked at is counted
	Query    string // of addresses that lead back here, such as "?SecurityToken=x"; or ""
	Cover    string // whole address of the first page's picture; or ""
	Icon     string // relative address of a small picture; or ""
	Total    int    // pages of the paper
	First    int    // number of the first page that is here
	Count    int    // pages that are here
	Step     int    // pages that are in one address at the most
	Sharp    int    // number of the first page whose picture is large for a browser without scripts
	SharpEnd int    // number of the page behind the last of these
	Pages    iter.Seq[Page]
	Contents []Chapter // none: the paper has no titles
	Shop     *Shop     // nil: nothing can be ordered
}

// Chapter is a line of the contents.
type Chapter struct {
	Title string
	Page  int
	Level int          // below the first
	Href  template.URL // of the page, relative to this one
}

// Page is one page. Addresses of pictures are relative to the paper's; "" for
// none.
type Page struct {
	Number        int
	Thumb         string
	Normal, Zoom  Picture
	Text          string
	Spots         []Spot
	Items         []Item
	TextElsewhere bool // the text is not here: there was no more room
	TextLater     bool // the text view has the text
}

// Picture is a picture of a page.
type Picture struct {
	Address       string
	Width, Height int // pixels
}

// Spot is an area of a page that leads somewhere. Positions are fractions of the
// page.
type Spot struct {
	Href                template.URL // whose scheme was checked
	Name                string       // as it is read out; "" for the address
	NewTab              bool
	Item                bool   // leads to an Item of this page
	Page                int    // that it leads to; 0 for elsewhere
	Chapter             string // that begins at Page; or ""
	X, Y, Width, Height float64
	Polygon             []Point // in place of the rectangle, where there are any
}

// Point is a corner of a polygon, in fractions of the page.
type Point struct{ X, Y float64 }

// Item is a product that a spot shows.
type Item struct {
	Number            int    // in its page, from 1
	ID                string // "" for one that cannot be ordered
	Name, Description string
	Price             string // decimal with a point, or, where ID is "", any words
}
