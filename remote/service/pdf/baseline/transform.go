package baseline

// block has samples by rows. 0 is the middle of their range.
type block [area]float32

// transform is the discrete cosine transform without the factors in aan, which
// scale includes.
func (b *block) transform() {
	for at := 0; at < area; at += side {
		row := b[at:][:side]
		row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7] =
			transform8(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7])
	}
	for x := range side {
		b[x], b[x+8], b[x+16], b[x+24], b[x+32], b[x+40], b[x+48], b[x+56] =
			transform8(b[x], b[x+8], b[x+16], b[x+24], b[x+32], b[x+40], b[x+48], b[x+56])
	}
}

// transform8 needs five multiplications (see aan).
func transform8(a0, a1, a2, a3, a4, a5, a6, a7 float32) (c0, c1, c2, c3, c4, c5, c6, c7 float32) {
	s0, d0 := a0+a7, a0-a7
	s1, d1 := a1+a6, a1-a6
	s2, d2 := a2+a5, a2-a5
	s3, d3 := a3+a4, a3-a4

	e0, e1, e2, e3 := s0+s3, s1+s2, s1-s2, s0-s3
	c0, c4 = e0+e1, e0-e1
	half := (e2 + e3) * 0.707106781
	c2, c6 = e3+half, e3-half

	o0, o1, o2 := d3+d2, d2+d1, d1+d0
	turn := (o0 - o2) * 0.382683433
	low, high, middle := 0.541196100*o0+turn, 1.306562965*o2+turn, o1*0.707106781
	p, q := d0+middle, d0-middle
	c5, c3, c1, c7 = q+low, q-low, p+high, p-high
	return
}
