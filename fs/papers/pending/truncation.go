package pending

// cut is what truncations leave of a content: its first bytes, and after them zeros. Nil: all of it.
type truncation struct{ shortest, last int64 } // the least length, and the last, in bytes

// to is the cut with one more truncation.
func (c *truncation) then(size int64) *truncation {
	if c == nil {
		return &truncation{size, size}
	}
	return &truncation{min(c.shortest, size), size}
}

// lengths are those that make it, in turn.
func (c *truncation) lengths() []int64 {
	if c == nil {
		return nil
	}
	return []int64{c.shortest, c.last}
}
