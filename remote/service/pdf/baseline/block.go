package baseline

import mathbits "math/bits"

// rounding makes a float positive before it is truncated to an integer.
const rounding = 1 << 14

// write writes a block. It overwrites b.
func (e *encoder) write(c *component, b *block) {
	b.transform()
	var levels [area]int32 // in the order of writing
	var some uint64        // bit i: levels[i] is not 0
	for i, at := range zigzag {
		level := int32(b[at]*c.scale[at]+(rounding+0.5)) - rounding
		levels[i] = level
		some |= uint64(uint32(level|-level)>>31) << i // no branch: it would be unpredictable
	}
	e.writeDC(c, levels[0])
	last := 0
	for some &^= 1; some != 0; some &= some - 1 {
		at := mathbits.TrailingZeros64(some)
		run := at - last - 1
		for ; run > 15; run -= 16 {
			e.put(c.ac.code[0xf0], c.ac.size[0xf0]) // sixteen zeros
		}
		e.writeLevel(c.ac, uint8(run<<4), levels[at])
		last = at
	}
	if last < area-1 {
		e.put(c.ac.code[0], c.ac.size[0]) // end of block
	}
}

// writeFlat writes a block whose samples are all the same. 0 is the middle of
// their range.
func (e *encoder) writeFlat(c *component, sample float32) {
	e.writeDC(c, int32(sample*area*c.scale[0]+(rounding+0.5))-rounding)
	e.put(c.ac.code[0], c.ac.size[0])
}

func (e *encoder) writeDC(c *component, level int32) {
	e.writeLevel(c.dc, 0, level-c.last)
	c.last = level
}

// writeLevel writes a code for run and the level's number of bits, then these bits.
func (e *encoder) writeLevel(h *huffman, run uint8, level int32) {
	size, value := uint(0), uint32(0)
	if level != 0 {
		size = uint(mathbits.Len32(uint32(max(level, -level))))
		value = uint32(level+level>>31) & (1<<size - 1) // a negative one is one less
	}
	symbol := run | uint8(size)
	e.put(h.code[symbol]<<size|value, h.size[symbol]+size)
}
