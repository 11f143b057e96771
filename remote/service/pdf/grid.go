package pdf

import (
	"math"

	"github.com/klippa-app/go-pdfium/requests"
)

// grid is the size of the device on which PDFium measures positions, so that
// fractions have six digits.
const grid = 1_000_000

// gridPlace maps points of a page to fractions of the displayed page.
type gridPlace struct{ x, xx, xy, y, yx, yy float64 }

// gridOf computes the mapping of a page from three points.
func (d *document) gridOf(page requests.Page) (g gridPlace, err error) {
	const far = 1000 // points
	at := func(x, y float64) (float64, float64) {
		to, failed := d.pdfium.FPDF_PageToDevice(&requests.FPDF_PageToDevice{Page: page, SizeX: grid, SizeY: grid, PageX: x, PageY: y})
		if failed != nil {
			err = failed
			return 0, 0
		}
		return float64(to.DeviceX) / grid, float64(to.DeviceY) / grid
	}
	g.x, g.y = at(0, 0)
	g.xx, g.yx = at(far, 0)
	g.xy, g.yy = at(0, far)
	g.xx, g.yx, g.xy, g.yy = (g.xx-g.x)/far, (g.yx-g.y)/far, (g.xy-g.x)/far, (g.yy-g.y)/far
	return g, err
}

// box returns where an area is displayed, clipped to the page.
func (g gridPlace) box(left, top, right, bottom float64) Line {
	at := func(x, y float64) (float64, float64) {
		return part(g.x + g.xx*x + g.xy*y), part(g.y + g.yx*x + g.yy*y)
	}
	x1, y1 := at(left, top)
	x2, y2 := at(right, bottom)
	return Line{X: min(x1, x2), Y: min(y1, y2), Width: max(x1, x2) - min(x1, x2), Height: max(y1, y2) - min(y1, y2)}
}

// shown returns where a letter or another area is displayed, clipped to the page.
func (g gridPlace) shown(b letterBox) Line {
	return g.box(float64(b.left), float64(b.top), float64(b.right), float64(b.bottom))
}

// shows reports whether the middle of an area is on the displayed page.
func (g gridPlace) shows(b letterBox) bool {
	x, y := float64(b.left+b.right)/2, float64(b.top+b.bottom)/2
	across, down := g.x+g.xx*x+g.xy*y, g.y+g.yx*x+g.yy*y
	return across >= 0 && across <= 1 && down >= 0 && down <= 1
}

// digits rounds a fraction to those that it has.
func digits(f float64) float64 { return math.Round(f*grid) / grid }

// part limits a fraction to 0 to 1. It returns 0 for NaN.
func part(f float64) float64 {
	if !(f > 0) {
		return 0
	}
	return min(f, 1)
}
