package baseline

import "encoding/binary"

// bits are written from the highest to the lowest.
type bits struct {
	out  []byte
	held uint64 // the lowest n are not written yet
	n    uint   // less than 32 between calls
}

// put writes the lowest size bits of code, which has no others; size is at
// most 32.
func (b *bits) put(code uint32, size uint) {
	b.held = b.held<<size | uint64(code)
	if b.n += size; b.n >= 32 {
		b.n -= 32
		b.word(uint32(b.held >> b.n))
	}
}

// word writes four bytes. A 0 follows each 0xff, so that it is no marker.
func (b *bits) word(w uint32) {
	// A byte is 0xff where its complement is 0, which borrows from its highest bit.
	if (^w-0x01010101)&w&0x80808080 == 0 {
		b.out = binary.BigEndian.AppendUint32(b.out, w)
		return
	}
	for shift := 24; shift >= 0; shift -= 8 {
		b.stuffed(byte(w >> shift))
	}
}

func (b *bits) stuffed(c byte) {
	if b.out = append(b.out, c); c == 0xff {
		b.out = append(b.out, 0)
	}
}

// flush fills the last byte with ones.
func (b *bits) flush() {
	for b.n >= 8 {
		b.n -= 8
		b.stuffed(byte(b.held >> b.n))
	}
	if b.n > 0 {
		b.stuffed(byte(b.held<<(8-b.n)) | 0xff>>b.n)
		b.n = 0
	}
}
