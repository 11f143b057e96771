package pdf

import (
	"errors"
	"math"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"
)

// render draws a tile of a page on white, which has the size of fit, whatever the page's size in points is. So a page
// of five metres costs no more than another.
func (d *document) render(page requests.Page, tile Tile) (*picture, error) {
	longest := Sizes[0].Longest
	if tile.Times > 0 {
		longest = tileSize
	}
	width, height, err := d.measure(page, longest)
	if err != nil {
		return nil, err
	}
	created, err := d.pdfium.FPDFBitmap_Create(&requests.FPDFBitmap_Create{Width: width, Height: height})
	if err != nil {
		return nil, err
	}
	bitmap := created.Bitmap
	defer func() { _, _ = d.pdfium.FPDFBitmap_Destroy(&requests.FPDFBitmap_Destroy{Bitmap: bitmap}) }()
	if _, err := d.pdfium.FPDFBitmap_FillRect(&requests.FPDFBitmap_FillRect{Bitmap: bitmap, Width: width, Height: height, Color: 0xffffffff}); err != nil {
		return nil, err
	}
	_, err = d.pdfium.FPDF_RenderPageBitmap(&requests.FPDF_RenderPageBitmap{Bitmap: bitmap, Page: page, StartX: -tile.Column * width, StartY: -tile.Row * height, SizeX: max(1, tile.Times) * width, SizeY: max(1, tile.Times) * height,
		Flags: enums.FPDF_RENDER_FLAG_ANNOT | enums.FPDF_RENDER_FLAG_REVERSE_BYTE_ORDER})
	if err != nil {
		return nil, err
	}
	stride, err := d.pdfium.FPDFBitmap_GetStride(&requests.FPDFBitmap_GetStride{Bitmap: bitmap})
	if err != nil {
		return nil, err
	}
	buffer, err := d.pdfium.FPDFBitmap_GetBuffer(&requests.FPDFBitmap_GetBuffer{Bitmap: bitmap})
	if err != nil {
		return nil, err
	}
	if len(buffer.Buffer) < stride.Stride*height {
		return nil, errors.New("the picture is not complete")
	}
	// The buffer is PDFium's memory, which the next page overwrites.
	return copyPicture(buffer.Buffer[:stride.Stride*height], stride.Stride, width, height), nil
}

// measure returns the size of a page's image, in pixels.
func (d *document) measure(page requests.Page, longest int) (width, height int, err error) {
	w, h, err := d.points(page)
	if err != nil {
		return 0, 0, err
	}
	width, height = fit(w, h, longest)
	return width, height, nil
}

// points returns the size of the displayed page.
func (d *document) points(page requests.Page) (width, height float64, err error) {
	w, err := d.pdfium.FPDF_GetPageWidthF(&requests.FPDF_GetPageWidthF{Page: page})
	if err != nil {
		return 0, 0, err
	}
	h, err := d.pdfium.FPDF_GetPageHeightF(&requests.FPDF_GetPageHeightF{Page: page})
	if err != nil {
		return 0, 0, err
	}
	return d.unit * float64(w.PageWidth), d.unit * float64(h.PageHeight), nil
}

// A long page, such as a capture of a website, is more than so many times as high as it is wide. People read
// it in parts, so its picture is as wide as others are long, within bounds.
const (
	longPage    = 2
	mostPixels  = 24_000_000
	longestSide = 16_384
)

// fit scales a page so that its longer side is longest, or the shorter one if the page is long. A side is long
// enough to be at least a pixel in the last of Sizes.
func fit(w, h float64, longest int) (width, height int) {
	if !(w > 0 && h > 0) || math.IsInf(w, 0) || math.IsInf(h, 0) {
		return longest, longest
	}
	scale := float64(longest) / max(w, h)
	if h > longPage*w {
		scale = max(scale, min(float64(longest)/w, math.Sqrt(mostPixels/w/h), longestSide/h))
	}
	least := longest / Sizes[len(Sizes)-1].Longest
	return max(least, int(math.Round(w*scale))), max(least, int(math.Round(h*scale)))
}

// encode returns the images in all sizes.
func encode(p *picture) []Image {
	images := make([]Image, len(Sizes))
	for i, size := range Sizes {
		if i > 0 {
			p = p.shrink(Sizes[i-1].Longest / size.Longest)
		}
		images[i] = p.image(size.Quality)
	}
	return images
}
