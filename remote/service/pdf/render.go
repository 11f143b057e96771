package pdf

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"math"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"
)

// pixels is a rendered page, out of PDFium's memory.
type pixels = image.RGBA

// render draws a page on white in the largest of Sizes, whatever its measures
// in points are: so a page of five metres costs no more than another.
func (d *document) render(page requests.Page) (*pixels, error) {
	width, height, err := d.measure(page)
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
	_, err = d.pdfium.FPDF_RenderPageBitmap(&requests.FPDF_RenderPageBitmap{Bitmap: bitmap, Page: page, SizeX: width, SizeY: height,
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
	return &pixels{Pix: bytes.Clone(buffer.Buffer[:stride.Stride*height]), Stride: stride.Stride, Rect: image.Rect(0, 0, width, height)}, nil
}

// measure gives the pixels of a page in the largest of Sizes.
func (d *document) measure(page requests.Page) (width, height int, err error) {
	w, err := d.pdfium.FPDF_GetPageWidthF(&requests.FPDF_GetPageWidthF{Page: page})
	if err != nil {
		return 0, 0, err
	}
	h, err := d.pdfium.FPDF_GetPageHeightF(&requests.FPDF_GetPageHeightF{Page: page})
	if err != nil {
		return 0, 0, err
	}
	width, height = fit(float64(w.PageWidth), float64(h.PageHeight), Sizes[0].Longest)
	return width, height, nil
}

// fit scales a page so that its longer side has a length; no side becomes less
// than the last of Sizes needs to be a pixel.
func fit(w, h float64, longest int) (width, height int) {
	if !(w > 0 && h > 0) || math.IsInf(w, 0) || math.IsInf(h, 0) {
		return longest, longest
	}
	scale := float64(longest) / max(w, h)
	least := longest / Sizes[len(Sizes)-1].Longest
	return max(least, int(math.Round(w*scale))), max(least, int(math.Round(h*scale)))
}

// encode makes the images of all sizes.
func encode(p *pixels) ([]Image, error) {
	images := make([]Image, len(Sizes))
	for i, size := range Sizes {
		if i > 0 {
			p = shrink(p, Sizes[i-1].Longest/size.Longest)
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, p, &jpeg.Options{Quality: size.Quality}); err != nil {
			return nil, err
		}
		images[i] = Image{Width: p.Rect.Dx(), Height: p.Rect.Dy(), JPEG: b.Bytes()}
	}
	return images, nil
}

// shrink makes each pixel the mean of a square of n by n.
func shrink(p *pixels, n int) *pixels {
	width, height := p.Rect.Dx()/n, p.Rect.Dy()/n
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	area := uint32(n * n)
	for y := range height {
		for x := range width {
			var r, g, b uint32
			for dy := range n {
				at := (y*n+dy)*p.Stride + x*n*4
				for row := p.Pix[at : at+n*4]; len(row) > 0; row = row[4:] {
					r, g, b = r+uint32(row[0]), g+uint32(row[1]), b+uint32(row[2])
				}
			}
			into := small.Pix[y*small.Stride+x*4:][:4]
			into[0], into[1], into[2], into[3] = uint8(r/area), uint8(g/area), uint8(b/area), 0xff
		}
	}
	return small
}
