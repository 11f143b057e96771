package baseline

import "encoding/binary"

// bits writes bits to out, the highest of each code first.
type bits struct {
	out  []byte
	held uint64 // its lowest n bits are not written yet
	n    uint   // less than 32 between calls
}

// put writes the lowest size bits of code. Its other bits must be 0, and size is
// at most 32.
func (b *bits) put(code uint32, size uint) {
	b.held = b.held<<size | uint64(code)
	if b.n += size; b.n >= 32 {
		b.n -= 32
		b.word(uint32(b.held >> b.n))
	}
}

// word writes four bytes. It adds a 0 after each 0xff, which would be a marker.
func (b *bits) word(w uint32) {
	// A byte is 0xff if its complement is 0, and then subtracting 1 borrows from its highest bit.
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

// flush writes the remaining bits and fills the last byte with ones.
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
