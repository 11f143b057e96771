package spool

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"paperfs/remote"
)

// Content is content on its way to the service, as remote.Content, Measured, Watched
// and Finisher. It does not change while it is sent.
type Content struct {
	F       *os.File // nil where it is empty
	Length  int64
	measure *remote.Measure // taken while it was written; nil: who sends it reads it once more
	Gate    gate            // nil: nobody has a say in whether it is sent

	Path  string // where it goes, as in failed.Entry
	Since time.Time
	sent  atomic.Int64 // bytes that the newest request has sent
}

// gate has a say in each request with some content.
type gate interface {
	Begin() error
	// Finish is asked before the last bytes: without them the request surely has
	// no effect.
	Finish() error
}

// Size implements remote.Content.
func (c *Content) Size() int64 { return c.Length }

// Measure implements remote.Measured.
func (c *Content) Measure() *remote.Measure { return c.measure }

// Open implements remote.Content: it begins a request, or a reading before one.
func (c *Content) Open() (io.ReadCloser, error) {
	if c.Gate != nil {
		if err := c.Gate.Begin(); err != nil {
			return nil, err
		}
	}
	return io.NopCloser(io.NewSectionReader(c.F, 0, c.Length)), nil
}

// Sending implements remote.Watched.
func (c *Content) Sending(sent int64) { c.sent.Store(sent) }

// Finish implements remote.Finisher.
func (c *Content) Finish() error {
	if c.Gate == nil {
		return nil
	}
	return c.Gate.Finish()
}

// Sent is how many bytes the newest request has sent.
func (c *Content) Sent() int64 { return min(c.sent.Load(), c.Length) }

// Close closes the file of content that nobody else has open.
func (c *Content) Close() {
	if c.F != nil {
		_ = c.F.Close() // it was only read
	}
}
