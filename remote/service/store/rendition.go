package store

// Rendition names the contents that are stored for a paper whose pages this service made.
type Rendition struct {
	PDF     string // key in a Contents
	PDFSize int64  // bytes
	Images  string // key in a Contents; the images of all pages, see Image
	Wishes  string // how the PDF asks to be shown, pdf.Wishes as JSON; "" if that is not known
}

// RenditionReader finds renditions.
type RenditionReader interface {
	// Rendition returns the rendition of a paper; ErrNotFound if it has none.
	Rendition(paper int64) (Rendition, error)
	// PageImage finds an image that the service stores, and the key of the content that contains
	// it.
	PageImage(paper, page int64, kind string) (Image, string, error)
}

// RenditionWriter changes renditions.
type RenditionWriter interface {
	// SetRendition replaces the rendition of a paper.
	SetRendition(paper int64, r Rendition) error
}

// SecretReader reads secrets of the service.
type SecretReader interface {
	Secret(name string) ([]byte, error)
}

// SecretWriter changes secrets of the service.
type SecretWriter interface {
	SetSecret(name string, value []byte) error
}
