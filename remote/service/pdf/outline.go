package pdf

import (
	"strings"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"
)

// Bounds of the bookmarks. They may form a cycle, which go-pdfium's GetBookmarks
// would follow for ever, so the worker counts them first. A document beyond the
// bounds gets no bookmarks.
const (
	mostBookmarks    = 50_000
	deepestBookmarks = 100 // levels
)

// titleBytes is the length to which titles of bookmarks are cut.
const titleBytes = 200

// outline returns the bookmarks that lead to pages.
func (d *document) outline() (Outline, error) {
	count := bookmarkCount{d: d}
	if err := count.children(nil, 0); err != nil {
		return nil, failf("The bookmarks cannot be read: %v.", words(err))
	}
	if count.malformed || count.found == 0 {
		return nil, nil
	}
	all, err := d.pdfium.GetBookmarks(&requests.GetBookmarks{Document: d.doc})
	if err != nil {
		return nil, failf("The bookmarks cannot be read: %v.", words(err))
	}
	return d.targets(nil, 0, all.Bookmarks), nil
}

// targets appends the bookmarks, at all levels, that lead to pages. A heading without a destination leads to
// that of its first chapter.
func (d *document) targets(o Outline, level int, bookmarks []responses.GetBookmarksBookmark) Outline {
	for _, b := range bookmarks {
		at, page := len(o), 0
		if b.DestInfo != nil && b.DestInfo.PageIndex >= 0 && b.DestInfo.PageIndex < d.pages {
			page = b.DestInfo.PageIndex + 1
		}
		o = d.targets(append(o, Bookmark{Page: page, Level: level, Title: cleanTitle(b.Title)}), level+1, b.Children)
		if page > 0 {
			continue
		}
		if len(o) == at+1 {
			o = o[:at]
		} else {
			o[at].Page = o[at+1].Page
		}
	}
	return o
}

// cleanTitle returns a title in one line, cut to titleBytes.
func cleanTitle(s string) string {
	s = oneLine(s)
	if len(s) > titleBytes {
		s = strings.ToValidUTF8(s[:titleBytes], "") + "…"
	}
	return s
}

type bookmarkCount struct {
	d         *document
	found     int
	malformed bool
}

func (c *bookmarkCount) children(of *references.FPDF_BOOKMARK, depth int) error {
	first, err := c.d.pdfium.FPDFBookmark_GetFirstChild(&requests.FPDFBookmark_GetFirstChild{Document: c.d.doc, Bookmark: of})
	if err != nil {
		return err
	}
	for at := first.Bookmark; at != nil && !c.malformed; {
		c.found++
		if c.found > mostBookmarks || depth > deepestBookmarks {
			c.malformed = true
			return nil
		}
		if err := c.children(at, depth+1); err != nil {
			return err
		}
		next, err := c.d.pdfium.FPDFBookmark_GetNextSibling(&requests.FPDFBookmark_GetNextSibling{Document: c.d.doc, Bookmark: *at})
		if err != nil {
			return err
		}
		at = next.Bookmark
	}
	return nil
}
