package media

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"paperfs/remote"
)

// outgoing is content on its way to the service, as remote.Content, Measured and
// Finisher. It does not change meanwhile.
type outgoing struct {
	f       *os.File // nil where it is empty
	size    int64
	measure *remote.Measure // taken while it was written; nil: who sends it reads it once more
	gate    gate            // nil: nobody has a say in whether it is sent

	path  string // where it goes, as in FailedEntry
	since time.Time
	sent  atomic.Int64 // bytes that were read for the newest request
}

// gate has a say in each request with some content.
type gate interface {
	begin() error
	// finish is asked before the last bytes: without them the request surely has
	// no effect.
	finish() error
}

// Size implements remote.Content.
func (c *outgoing) Size() int64 { return c.size }

// Measure implements remote.Measured.
func (c *outgoing) Measure() *remote.Measure { return c.measure }

// Open implements remote.Content: it begins a request, or a reading before one.
func (c *outgoing) Open() (io.ReadCloser, error) {
	if c.gate != nil {
		if err := c.gate.begin(); err != nil {
			return nil, err
		}
	}
	c.sent.Store(0)
	return &counted{io.NewSectionReader(c.f, 0, c.size), c}, nil
}

// Finish implements remote.Finisher.
func (c *outgoing) Finish() error {
	if c.gate == nil {
		return nil
	}
	return c.gate.finish()
}

// close closes the file of content that nobody else has open.
func (c *outgoing) close() { closeFile(c.f) }

// counted counts what is read of content.
type counted struct {
	io.Reader
	content *outgoing
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.content.sent.Add(int64(n))
	return n, err
}

func (c *counted) Close() error { return nil }

// closeFile closes a file that was only read, if there is one.
func closeFile(f *os.File) {
	if f != nil {
		_ = f.Close()
	}
}
