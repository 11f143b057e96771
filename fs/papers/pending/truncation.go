package pending

// truncation is the effect of one or more truncations on content: its first bytes,
// followed by zeros. nil means no truncation.
type truncation struct{ shortest, last int64 } // the shortest length so far and the last one, in bytes

// then returns c followed by a truncation to size.
func (c *truncation) then(size int64) *truncation {
	if c == nil {
		return &truncation{size, size}
	}
	return &truncation{min(c.shortest, size), size}
}

// lengths returns the lengths to truncate to, in this order, to apply c.
func (c *truncation) lengths() []int64 {
	if c == nil {
		return nil
	}
	return []int64{c.shortest, c.last}
}
