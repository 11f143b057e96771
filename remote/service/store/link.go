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
	Imported            bool   // an import brought it: no table of products has to have what it shows
}

// LinkReader finds links.
type LinkReader interface {
	// Links returns the links of a paper in their order.
	Links(paper int64) ([]Link, error)

	// EachLink visits the links of a paper in their order.
	EachLink(paper int64, visit func(Link) error) error
}

// LinkWriter changes links.
type LinkWriter interface {
	// ReplaceLinks puts links in place of those that a paper has.
	ReplaceLinks(paper int64, links []Link) error
}
