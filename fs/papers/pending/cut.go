package pending

// cut is what truncations leave of a content: its first bytes, and after them zeros. Nil: all of it.
type cut struct{ least, last int64 } // the least length, and the last, in bytes

// to is the cut with one more truncation.
func (c *cut) to(size int64) *cut {
	if c == nil {
		return &cut{size, size}
	}
	return &cut{min(c.least, size), size}
}

// lengths are those that make it, in turn.
func (c *cut) lengths() []int64 {
	if c == nil {
		return nil
	}
	return []int64{c.least, c.last}
}
