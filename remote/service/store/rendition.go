package store

// Rendition names the contents that are kept for a paper whose pages were made
// here.
type Rendition struct {
	PDF     string // key in a Contents
	PDFSize int64  // bytes
	Images  string // key; the images of all pages, see Image
}

// RenditionReader finds renditions.
type RenditionReader interface {
	// Rendition returns what is kept for a paper; ErrNotFound for nothing.
	Rendition(paper int64) (Rendition, error)
	// PageImage finds an image that is kept here, and the key of the content
	// it is part of.
	PageImage(paper, page int64, kind string) (Image, string, error)
}

// RenditionWriter changes renditions.
type RenditionWriter interface {
	// SetRendition replaces what is kept for a paper.
	SetRendition(paper int64, r Rendition) error
}

// SecretReader reads secrets of the service.
type SecretReader interface {
	Secret(name string) ([]byte, error)
}

// SecretWriter changes them.
type SecretWriter interface {
	SetSecret(name string, value []byte) error
}
