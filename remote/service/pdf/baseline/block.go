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
			e.add(dcTables+c.table, 0xf0, 0) // sixteen zeros
		}
		e.add(dcTables+c.table, uint32(run<<4), levels[at])
		last = at
	}
	if last < area-1 {
		e.add(dcTables+c.table, 0, 0) // end of block
	}
}

// writeFlat writes a block whose samples are all the same. 0 is the middle of
// their range.
func (e *encoder) writeFlat(c *component, sample float32) {
	e.writeDC(c, int32(sample*area*c.scale[0]+(rounding+0.5))-rounding)
	e.add(dcTables+c.table, 0, 0)
}

func (e *encoder) writeDC(c *component, level int32) {
	e.add(c.table, 0, level-c.last)
	c.last = level
}

// add adds a symbol of run and the level's number of bits, with these bits.
func (e *encoder) add(table, run uint32, level int32) {
	size := uint32(mathbits.Len32(uint32(max(level, -level))))
	value := uint32(level+level>>31) & (1<<size - 1) // a negative one is one less
	e.symbols = append(e.symbols, table<<24|(run|size)<<16|value)
	e.count[table][run|size]++
}
