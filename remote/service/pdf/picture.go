package pdf

import "paperfs/remote/service/pdf/baseline"

// picture is a rendered page, out of PDFium's memory. A page without colours
// has one byte a pixel: its JPEG has one component, which costs less time and
// fewer bytes.
type picture struct {
	width, height int
	samples       int // a pixel: 1 (grey) or 4 (RGBA)
	pix           []byte
}

// copyPicture takes pixels over, in RGBA with rows of stride bytes.
func copyPicture(rgba []byte, stride, width, height int) *picture {
	grey := &picture{width, height, 1, make([]byte, width*height)}
	for y := range height {
		if !copyGrey(grey.pix[y*width:][:width], rgba[y*stride:]) {
			return copyColours(rgba, stride, width, height)
		}
	}
	return grey
}

// copyGrey copies a row until a pixel is not grey.
func copyGrey(into, rgba []byte) bool {
	for x := range into {
		p := rgba[4*x:][:3]
		if p[0] != p[1] || p[1] != p[2] {
			return false
		}
		into[x] = p[0]
	}
	return true
}

func copyColours(rgba []byte, stride, width, height int) *picture {
	p := &picture{width, height, 4, make([]byte, 4*width*height)}
	for y := range height {
		copy(p.pix[4*y*width:][:4*width], rgba[y*stride:])
	}
	return p
}

// shrink makes each pixel the mean of a square of n by n.
func (p *picture) shrink(n int) *picture {
	small := &picture{p.width / n, p.height / n, p.samples, make([]byte, p.width/n*(p.height/n)*p.samples)}
	sums := make([]uint32, small.width*p.samples)
	for y := range small.height {
		clear(sums)
		for dy := range n {
			row := p.pix[(y*n+dy)*p.width*p.samples:]
			p.addRow(sums, row, n)
		}
		for i, sum := range sums {
			small.pix[y*len(sums)+i] = uint8(sum / uint32(n*n))
		}
	}
	return small
}

// addRow adds n pixels of a row to each sum.
func (p *picture) addRow(sums []uint32, row []byte, n int) {
	if p.samples == 1 {
		for x := range sums {
			for _, grey := range row[x*n:][:n] {
				sums[x] += uint32(grey)
			}
		}
		return
	}
	for x := 0; x < len(sums); x += 4 {
		into := sums[x:][:4]
		for at := row[x*n:][:4*n]; len(at) > 0; at = at[4:] {
			into[0] += uint32(at[0])
			into[1] += uint32(at[1])
			into[2] += uint32(at[2])
			into[3] += uint32(at[3])
		}
	}
}

func (p *picture) jpeg(quality int) []byte {
	if p.samples == 1 {
		return baseline.Grey(p.pix, p.width, p.height, quality)
	}
	return baseline.RGBA(p.pix, p.width, p.height, quality)
}
