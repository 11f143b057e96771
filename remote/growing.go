package remote

import "errors"

// Growing is content that may still be written when its upload begins. Its upload then has no length: it ends well
// only with the last bytes, which readers of the content give out once it is whole.
type Growing interface {
	Measured
	// Whole reports whether all has been written. Before, Size and Measure have no meaning.
	Whole() bool
	// GiveUp ends content that is not whole and never will be, and reports whether that is so.
	GiveUp() bool
}

// errUnfinished is what a service says that answers before it can have the content.
var errUnfinished = errors.New("the service has answered before all content was written")

// growing returns content that is not whole yet, else nil.
func growing(content Content) Growing {
	if g, ok := content.(Growing); ok && !g.Whole() {
		return g
	}
	return nil
}

// settle measures content that has become whole.
func (b *bulk) settle() {
	if b.growing != nil && b.growing.Whole() {
		b.measured, _ = before(b.growing)
		b.growing = nil
	}
}

// cutShort reports that the attempt with outcome o has sent content that is not whole: it had no effect, and ends.
// No other attempt follows.
func (r *request) cutShort(c *Client, o *outcome) bool {
	if r.bulk == nil || r.bulk.growing == nil || !r.bulk.growing.GiveUp() {
		return false
	}
	if o.again = false; o.err == nil {
		e := c.newError(r, Broken)
		e.Err, o.err = errUnfinished, e
	}
	return true
}
