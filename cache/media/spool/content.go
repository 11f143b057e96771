package spool

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"paperfs/remote"
)

// Content is content on its way to the service, as remote.Content, Measured and
// Finisher. It does not change while it is sent.
type Content struct {
	F       *os.File // nil where it is empty
	Length  int64
	measure *remote.Measure // taken while it was written; nil: who sends it reads it once more
	Gate    gate            // nil: nobody has a say in whether it is sent

	Path  string // where it goes, as in failed.Entry
	Since time.Time
	sent  atomic.Int64 // bytes that were read for the newest request
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
	c.sent.Store(0)
	return &counted{io.NewSectionReader(c.F, 0, c.Length), c}, nil
}

// Finish implements remote.Finisher.
func (c *Content) Finish() error {
	if c.Gate == nil {
		return nil
	}
	return c.Gate.Finish()
}

// Read is how many bytes were read for the newest request.
func (c *Content) Read() int64 { return min(c.sent.Load(), c.Length) }

// Close closes the file of content that nobody else has open.
func (c *Content) Close() {
	if c.F != nil {
		_ = c.F.Close() // it was only read
	}
}

// counted counts what is read of content.
type counted struct {
	io.Reader
	content *Content
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.content.sent.Add(int64(n))
	return n, err
}

func (c *counted) Close() error { return nil }
