package pdf

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
)

// picture is a rendered page, copied out of PDFium's memory. A page without
// colours has one byte per pixel: its JPEG has one component, which saves time
// and bytes.
type picture struct {
	width, height int
	samples       int // per pixel: 1 (grey) or 4 (RGBA)
	pix           []byte
}

// copyPicture copies RGBA pixels, with stride bytes per row.
func copyPicture(rgba []byte, stride, width, height int) *picture {
	grey := &picture{width, height, 1, make([]byte, width*height)}
	for y := range height {
		if !copyGrey(grey.pix[y*width:][:width], rgba[y*stride:]) {
			return copyColours(rgba, stride, width, height)
		}
	}
	return grey
}

// copyGrey copies a row. It returns false at the first pixel that is not grey.
func copyGrey(into, rgba []byte) bool {
	for len(into) >= 4 { // four pixels at a time
		a, b := binary.LittleEndian.Uint64(rgba), binary.LittleEndian.Uint64(rgba[8:])
		if ((a^a>>8)|(b^b>>8))&0x0000ffff0000ffff != 0 {
			return false
		}
		into[0], into[1], into[2], into[3] = byte(a), byte(a>>32), byte(b), byte(b>>32)
		into, rgba = into[4:], rgba[16:]
	}
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

// shrink returns a smaller picture: each pixel is the mean of a square of n by n.
func (p *picture) shrink(n int) *picture {
	small := &picture{p.width / n, p.height / n, p.samples, make([]byte, p.width/n*(p.height/n)*p.samples)}
	stride, row := p.width*p.samples, small.width*p.samples
	sums := make([]uint32, row)
	for y := range small.height {
		into, rows := small.pix[y*row:][:row], p.pix[y*n*stride:][:n*stride]
		done := p.meansByWords(into, rows, stride, n)
		clear(sums[done:])
		for at := done * n; at < len(rows); at += stride {
			p.addRow(sums[done:], rows[at:], n)
		}
		for i, sum := range sums[done:] {
			into[done+i] = uint8(sum / uint32(n*n))
		}
	}
	return small
}

// lanes selects every second byte of a word, so that sums of up to 257 bytes fit.
const lanes = 0x00ff00ff00ff00ff

// meansByWords computes samples of a row of the smaller picture from n rows, eight
// bytes at a time, if n is 2 or 4. It returns the number of computed samples; the
// caller computes the rest.
func (p *picture) meansByWords(into, rows []byte, stride, n int) (done int) {
	if n != 2 && n != 4 {
		return 0
	}
	if p.samples == 1 {
		return meansOfGrey(into, rows, stride, n)
	}
	return meansOfColours(into, rows, stride, n)
}

func meansOfGrey(into, rows []byte, stride, n int) (done int) {
	made := 8 / n
	for x := 0; x+8 <= stride && done+made <= len(into); x += 8 {
		var sums uint64 // of two neighbours each
		for at := x; at < len(rows); at += stride {
			w := binary.LittleEndian.Uint64(rows[at:])
			sums += w&lanes + w>>8&lanes
		}
		if n == 2 {
			sums >>= 2
			copy(into[done:], []byte{byte(sums), byte(sums >> 16), byte(sums >> 32), byte(sums >> 48)})
		} else {
			sums += sums >> 16
			into[done], into[done+1] = byte(sums>>4), byte(sums>>36)
		}
		done += made
	}
	return done
}

func meansOfColours(into, rows []byte, stride, n int) (done int) {
	shift := n // the binary logarithm of n × n
	for x := 0; x+4*n <= stride && done+4 <= len(into); x += 4 * n {
		var even, odd uint64 // red and blue of two pixels, green and alpha
		for from := x; from < len(rows); from += stride {
			for at := from; at < from+4*n; at += 8 {
				w := binary.LittleEndian.Uint64(rows[at:])
				even, odd = even+w&lanes, odd+w>>8&lanes
			}
		}
		even, odd = (even+even>>32)>>shift&lanes, (odd+odd>>32)>>shift&lanes
		binary.LittleEndian.PutUint32(into[done:], uint32(even|odd<<8))
		done += 4
	}
	return done
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

func (p *picture) image(quality int) Image {
	return Image{Width: p.width, Height: p.height, JPEG: p.jpeg(quality)}
}

func (p *picture) jpeg(quality int) []byte {
	var encoded bytes.Buffer
	var of image.Image = &image.RGBA{Pix: p.pix, Stride: 4 * p.width, Rect: image.Rect(0, 0, p.width, p.height)}
	if p.samples == 1 {
		of = &image.Gray{Pix: p.pix, Stride: p.width, Rect: of.Bounds()}
	}
	if err := jpeg.Encode(&encoded, of, &jpeg.Options{Quality: quality}); err != nil {
		panic(err) // a picture is no larger than JPEG allows, and a buffer takes everything
	}
	return encoded.Bytes()
}
