package pdf

import (
	"slices"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// mostBookmarks bounds the walk: bookmarks may form a ring.
const mostBookmarks = 50_000

// outline collects the pages that bookmarks lead to.
func (d *document) outline() (Outline, error) {
	w := outlineWalk{d: d, found: map[int]bool{}}
	if err := w.children(nil, 0); err != nil {
		return nil, failf("The bookmarks cannot be read: %v.", err)
	}
	var pages Outline
	for page := range w.found {
		pages = append(pages, page)
	}
	slices.Sort(pages)
	return pages, nil
}

type outlineWalk struct {
	d       *document
	found   map[int]bool
	visited int
}

// deepestBookmark bounds the levels that are followed.
const deepestBookmark = 100

func (w *outlineWalk) children(of *references.FPDF_BOOKMARK, depth int) error {
	if depth > deepestBookmark {
		return nil
	}
	first, err := w.d.pdfium.FPDFBookmark_GetFirstChild(&requests.FPDFBookmark_GetFirstChild{Document: w.d.doc, Bookmark: of})
	if err != nil {
		return err
	}
	for at := first.Bookmark; at != nil && w.visited < mostBookmarks; {
		w.visited++
		page, err := w.page(*at)
		if err != nil {
			return err
		}
		if page > 0 {
			w.found[page] = true
		}
		if err := w.children(at, depth+1); err != nil {
			return err
		}
		next, err := w.d.pdfium.FPDFBookmark_GetNextSibling(&requests.FPDFBookmark_GetNextSibling{Document: w.d.doc, Bookmark: *at})
		if err != nil {
			return err
		}
		at = next.Bookmark
	}
	return nil
}

// page is where a bookmark leads: its destination, else its action's.
func (w *outlineWalk) page(bookmark references.FPDF_BOOKMARK) (int, error) {
	dest, err := w.d.pdfium.FPDFBookmark_GetDest(&requests.FPDFBookmark_GetDest{Document: w.d.doc, Bookmark: bookmark})
	if err != nil {
		return 0, err
	}
	if dest.Dest != nil {
		return w.d.destPage(*dest.Dest)
	}
	action, err := w.d.pdfium.FPDFBookmark_GetAction(&requests.FPDFBookmark_GetAction{Bookmark: bookmark})
	if err != nil || action.Action == nil {
		return 0, err
	}
	return w.d.actionPage(*action.Action)
}
