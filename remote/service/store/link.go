package store

// Link is an area on a page that leads somewhere. Coordinates are fractions of
// the page's width and height.
type Link struct {
	Page                int
	X, Y, Width, Height float64
	AltText             string
	URL                 string
	StyleName           string
	ShapeType           string // rectangle or polygon
	PolygonCoords       string
	LinkType            string // url, page, file, mail or shopitem
	FileID              string // of a media file; "" for none
	Target              string
	UseMask             bool
	Param               string // for a shop item an XML fragment, kept as text
	Imported            bool   // set by an import: the product need not be in any product table
}

// LinkReader finds links.
type LinkReader interface {
	// Links returns the links of a paper in order.
	Links(paper int64) ([]Link, error)

	// EachLink visits the links of a paper in order.
	EachLink(paper int64, visit func(Link) error) error
}

// LinkWriter changes links.
type LinkWriter interface {
	// ReplaceLinks replaces the links of a paper.
	ReplaceLinks(paper int64, links []Link) error
}
