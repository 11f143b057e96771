package baseline

import (
	"bytes"
	"encoding/binary"
)

// greyUnit writes the block at x, y. Outside the picture it repeats the last row
// and column.
func (e *encoder) greyUnit(pix []byte, width, height, x, y int) {
	var edge [side * side]byte
	rows, stride := pix[y*width+x:], width
	if x+side > width || y+side > height {
		for dy := range side {
			row := pix[min(y+dy, height-1)*width:][:width]
			for dx := range side {
				edge[dy*side+dx] = row[min(x+dx, width-1)]
			}
		}
		rows, stride = edge[:], side
	}
	c := &e.components[0]
	if greyFlat(rows, stride) {
		e.writeFlat(c, float32(rows[0])-128)
		return
	}
	var b block
	for dy := range side {
		row, into := rows[dy*stride:][:side], b[dy*side:][:side]
		for dx, p := range row {
			into[dx] = float32(p) - 128
		}
	}
	e.write(c, &b)
}

// greyFlat reports whether 8 × 8 pixels are the same, as in most of a page.
func greyFlat(rows []byte, stride int) bool {
	const each = 0x0101010101010101
	all := uint64(rows[0]) * each
	for dy := range side {
		if binary.LittleEndian.Uint64(rows[dy*stride:]) != all {
			return false
		}
	}
	return true
}

// colourUnit writes the four blocks of brightness at x, y, and the two blocks of
// colour.
func (e *encoder) colourUnit(pix []byte, width, height, x, y int) {
	const across = 2 * side
	var edge [across * across * 4]byte
	rows, stride := pix[(y*width+x)*4:], width*4
	if x+across > width || y+across > height {
		copyEdge(edge[:], pix, width, height, x, y)
		rows, stride = edge[:], across*4
	}
	if flat(rows, stride) {
		luma, cb, cr := ycc(float32(rows[0]), float32(rows[1]), float32(rows[2]))
		for range 4 {
			e.writeFlat(&e.components[0], luma)
		}
		e.writeFlat(&e.components[1], cb)
		e.writeFlat(&e.components[2], cr)
		return
	}
	var luma [4]block
	var cb, cr block
	convert(&luma, &cb, &cr, rows, stride)
	for i := range luma {
		e.write(&e.components[0], &luma[i])
	}
	e.write(&e.components[1], &cb)
	e.write(&e.components[2], &cr)
}

// copyEdge copies 16 × 16 pixels. Outside the picture it repeats the last row and
// column.
func copyEdge(into, pix []byte, width, height, x, y int) {
	for dy := range 2 * side {
		row := pix[min(y+dy, height-1)*width*4:][:width*4]
		for dx := range 2 * side {
			copy(into[(dy*2*side+dx)*4:][:4], row[min(x+dx, width-1)*4:])
		}
	}
}

// flat reports whether 16 × 16 pixels are the same.
func flat(rows []byte, stride int) bool {
	const length = 2 * side * 4
	first := rows[:length]
	if !bytes.Equal(first[4:], first[:length-4]) {
		return false
	}
	for dy := 1; dy < 2*side; dy++ {
		if !bytes.Equal(first, rows[dy*stride:][:length]) {
			return false
		}
	}
	return true
}

// convert splits 16 × 16 pixels into brightness and colours. Four pixels share one
// colour, their mean.
func convert(luma *[4]block, cb, cr *block, rows []byte, stride int) {
	for y := range side {
		for x := range side {
			var sum [3]float32
			at := 2*y*stride + 2*x*4
			into := &luma[y/4*2+x/4]
			place := (2*y%side)*side + 2*x%side
			for i, from := range [4]int{at, at + 4, at + stride, at + stride + 4} {
				p := rows[from:][:3]
				r, g, b := float32(p[0]), float32(p[1]), float32(p[2])
				into[place+i/2*side+i%2] = brightness(r, g, b)
				sum[0], sum[1], sum[2] = sum[0]+r, sum[1]+g, sum[2]+b
			}
			_, cb[y*side+x], cr[y*side+x] = ycc(sum[0]/4, sum[1]/4, sum[2]/4)
		}
	}
}

// brightness returns Y of JFIF, less 128.
func brightness(r, g, b float32) float32 { return 0.299*r + 0.587*g + 0.114*b - 128 }

// ycc returns Y, Cb and Cr of JFIF. 0 is the middle of their range.
func ycc(r, g, b float32) (y, cb, cr float32) {
	return brightness(r, g, b), -0.168736*r - 0.331264*g + 0.5*b, 0.5*r - 0.418688*g - 0.081312*b
}
