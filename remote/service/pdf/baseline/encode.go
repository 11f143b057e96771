package baseline

import "encoding/binary"

// Markers of T.81, table B.1.
const (
	startOfImage = 0xffd8
	endOfImage   = 0xffd9
	startOfFrame = 0xffc0 // baseline
	huffmanTable = 0xffc4
	quantTable   = 0xffdb
	startOfScan  = 0xffda
)

// Most is the largest width or height of a JPEG.
const Most = 1<<16 - 1

// Grey encodes width × height bytes: rows from the top, without gaps. Width and
// height are 1 to Most, the quality is 1 to 100.
func Grey(pix []byte, width, height, quality int) []byte {
	e := begin(width, height, quality, 1)
	for y := 0; y < height; y += side {
		for x := 0; x < width; x += side {
			e.greyUnit(pix, width, height, x, y)
		}
	}
	return e.end()
}

// RGBA encodes 4 × width × height bytes in the same way. It ignores A.
func RGBA(pix []byte, width, height, quality int) []byte {
	e := begin(width, height, quality, 3)
	for y := 0; y < height; y += 2 * side {
		for x := 0; x < width; x += 2 * side {
			e.colourUnit(pix, width, height, x, y)
		}
	}
	return e.end()
}

// component is the state of a colour component. last is the DC coefficient of its
// last block: the file contains only the difference to it.
type component struct {
	scale *scale
	table uint32 // of its symbols: 0 for brightness, 1 for colours
	last  int32
}

type encoder struct {
	bits
	components []component // 1: Y; 3: Y, Cb, Cr

	// The symbols in order: table << 24 | symbol << 16 | the bits behind it, whose number is in the symbol's last
	// four bits; and how often each is there, on which its code depends.
	symbols []uint32
	count   [2 * dcTables][256]int
}

// dcTables is the number of the tables of DC coefficients, which come before those of the others.
const dcTables = 2

// begin writes what is known before the first block.
func begin(width, height, quality, components int) *encoder {
	e := &encoder{symbols: make([]uint32, 0, 4096+width*height/8)}
	e.marker(startOfImage)
	for i := range min(components, 2) { // brightness, colours
		steps := quantSteps(i, quality)
		e.segment(quantTable, append([]byte{byte(i)}, steps[:]...))
		e.components = append(e.components, component{scale: newScale(steps), table: uint32(i)})
	}
	if components == 3 {
		e.components = append(e.components, e.components[1])
	}
	e.segment(startOfFrame, frame(width, height, components))
	return e
}

// frame returns the frame header: 8 bits per sample. The first of three components
// has two samples in each direction for one of the others.
func frame(width, height, components int) []byte {
	f := []byte{8}
	f = binary.BigEndian.AppendUint16(f, uint16(height))
	f = binary.BigEndian.AppendUint16(f, uint16(width))
	if components == 1 {
		return append(f, 1, 1, 0x11, 0)
	}
	return append(f, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1)
}

// scan returns the scan header, which names each component's Huffman tables. Its
// last bytes are the same in every baseline JPEG.
func scan(components int) []byte {
	if components == 1 {
		return []byte{1, 1, 0x00, 0, 63, 0}
	}
	return []byte{3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0}
}

func (e *encoder) marker(m uint16) { e.out = binary.BigEndian.AppendUint16(e.out, m) }

func (e *encoder) segment(m uint16, content []byte) {
	e.marker(m)
	e.out = binary.BigEndian.AppendUint16(e.out, uint16(len(content)+2))
	e.out = append(e.out, content...)
}

// end writes the tables that suit the symbols, and the symbols.
func (e *encoder) end() []byte {
	var tables [2 * dcTables]huffman
	for i := range tables {
		if tables[i] = best(&e.count[i]); len(e.components) == 3 || i%2 == 0 {
			e.segment(huffmanTable, append([]byte{byte(i/2<<4 | i%2)}, tables[i].spec...))
		}
	}
	e.segment(startOfScan, scan(len(e.components)))
	for _, s := range e.symbols {
		symbol, more := s>>16&0xff, uint(s>>16&15)
		h := &tables[s>>24]
		e.put(h.code[symbol]<<more|s&0xffff, h.size[symbol]+more)
	}
	e.flush()
	e.marker(endOfImage)
	return e.out
}
