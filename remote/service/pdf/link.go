package pdf

import (
	"math"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// placedLink is a link with its area in points of the page.
type placedLink struct {
	Link
	area letterBox
}

// pageLinks returns the links of a page whose target is an address or a page of the
// document: its link annotations, and its buttons.
func (d *document) pageLinks(page requests.Page, number int) ([]placedLink, error) {
	links, err := d.linkAnnotations(page)
	if err != nil || d.objects == nil || number > len(d.tree) {
		return links, err
	}
	grid, err := d.gridOf(page)
	if err != nil {
		return nil, err
	}
	for _, annotation := range d.objects.Array(d.objects.Dict(d.tree[number-1])["Annots"]) {
		if link, ok := d.button(grid, d.objects.Dict(annotation), number); ok && len(links) <= d.Limits.Links {
			links = append(links, link)
		}
	}
	return links, nil
}

func (d *document) linkAnnotations(page requests.Page) ([]placedLink, error) {
	var links []placedLink
	for at := 0; ; {
		next, err := d.pdfium.FPDFLink_Enumerate(&requests.FPDFLink_Enumerate{Page: page, StartPos: at})
		if err != nil {
			return nil, err
		}
		if next.Link == nil || next.NextStartPos == nil || *next.NextStartPos <= at {
			return links, nil
		}
		at = *next.NextStartPos
		link, found, err := d.target(*next.Link)
		if err != nil {
			return nil, err
		}
		placed := placedLink{Link: link}
		if found {
			if found, err = d.place(page, *next.Link, &placed); err != nil {
				return nil, err
			}
		}
		if found {
			links = append(links, placed)
		}
		if len(links) > d.Limits.Links {
			return links, nil
		}
	}
}

// target finds where a link leads: to its destination, or else to its action's. PDFium takes the destination of
// an action in another file for one of the document's.
func (d *document) target(link references.FPDF_LINK) (Link, bool, error) {
	action, err := d.pdfium.FPDFLink_GetAction(&requests.FPDFLink_GetAction{Link: link})
	if err != nil {
		return Link{}, false, err
	}
	if action.Action == nil {
		dest, err := d.pdfium.FPDFLink_GetDest(&requests.FPDFLink_GetDest{Document: d.doc, Link: link})
		if err != nil || dest.Dest == nil {
			return Link{}, false, err
		}
		page, err := d.destPage(*dest.Dest)
		return Link{Page: page}, page > 0, err
	}
	kind, err := d.pdfium.FPDFAction_GetType(&requests.FPDFAction_GetType{Action: *action.Action})
	if err != nil {
		return Link{}, false, err
	}
	switch kind.Type {
	case enums.FPDF_ACTION_ACTION_URI:
		uri, err := d.pdfium.FPDFAction_GetURIPath(&requests.FPDFAction_GetURIPath{Document: d.doc, Action: *action.Action})
		if err != nil || uri.URIPath == nil {
			return Link{}, false, err
		}
		address := cleanURI(*uri.URIPath)
		return Link{URI: address}, address != "", nil
	case enums.FPDF_ACTION_ACTION_GOTO:
		page, err := d.actionPage(*action.Action)
		return Link{Page: page}, page > 0, err
	}
	return Link{}, false, nil
}

// actionPage returns the target page of a go-to action, or 0 for none.
func (d *document) actionPage(action references.FPDF_ACTION) (int, error) {
	dest, err := d.pdfium.FPDFAction_GetDest(&requests.FPDFAction_GetDest{Document: d.doc, Action: action})
	if err != nil || dest.Dest == nil {
		return 0, err
	}
	return d.destPage(*dest.Dest)
}

// destPage returns the page number of a destination, or 0 if there is no such
// page.
func (d *document) destPage(dest references.FPDF_DEST) (int, error) {
	page, err := d.pdfium.FPDFDest_GetDestPageIndex(&requests.FPDFDest_GetDestPageIndex{Document: d.doc, Dest: dest})
	if err != nil {
		return 0, err
	}
	if page.Index < 0 || page.Index >= d.pages {
		return 0, nil
	}
	return page.Index + 1, nil
}

// place sets the area of a link on the displayed page, after rotation and crop. It
// returns false for an area outside the page.
func (d *document) place(page requests.Page, link references.FPDF_LINK, into *placedLink) (bool, error) {
	rect, err := d.pdfium.FPDFLink_GetAnnotRect(&requests.FPDFLink_GetAnnotRect{Link: link})
	if err != nil || rect.Rect == nil {
		return false, err
	}
	x1, y1, err := d.onGrid(page, float64(rect.Rect.Left), float64(rect.Rect.Top))
	if err != nil {
		return false, err
	}
	x2, y2, err := d.onGrid(page, float64(rect.Rect.Right), float64(rect.Rect.Bottom))
	if err != nil {
		return false, err
	}
	r := rect.Rect
	into.area = letterBox{min(r.Left, r.Right), max(r.Top, r.Bottom), max(r.Left, r.Right), min(r.Top, r.Bottom)}
	left, right, top, bottom := min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
	into.X, into.Y = float64(left)/grid, float64(top)/grid
	into.Width, into.Height = float64(right-left)/grid, float64(bottom-top)/grid
	return right > left && bottom > top, nil
}

func (d *document) onGrid(page requests.Page, x, y float64) (int, int, error) {
	if math.IsNaN(x) || math.IsNaN(y) {
		return 0, 0, nil
	}
	at, err := d.pdfium.FPDF_PageToDevice(&requests.FPDF_PageToDevice{Page: page, SizeX: grid, SizeY: grid, PageX: x, PageY: y})
	if err != nil {
		return 0, 0, err
	}
	return clamp(at.DeviceX), clamp(at.DeviceY), nil
}

func clamp(n int) int { return min(max(n, 0), grid) }
