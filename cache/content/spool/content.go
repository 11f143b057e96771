package spool

import (
	"io"
	"os"
	"sync/atomic"

	"paperfs/cache/content/inode"
	"paperfs/remote"
)

// Content is content being sent to the service. It implements remote.Content, Measured, Watched
// and Finisher, and does not change while it is sent.
type Content struct {
	Early   *Early // an upload of it may have begun while it was written; nil: none has
	F       *os.File
	Length  int64
	measure *remote.Measure // of the whole content, from the writes or from SHA256; nil: the sender reads the content first
	Gate    gate            // may stop requests; nil: no gate
	sealed  bool            // nothing writes to F any more

	sent atomic.Int64 // bytes sent by the newest request
}

// gate can stop each request that sends some content.
type gate interface {
	Begin() error
	// Finish is called before the last bytes; without them the request certainly has no effect.
	Finish() error
}

// Size implements remote.Content.
func (c *Content) Size() int64 { return c.Length }

// Measure implements remote.Measured.
func (c *Content) Measure() *remote.Measure { return c.measure }

// SHA256 returns the digest of all content, or zero if it cannot be read. It reads what was not measured during the
// writes, and the sender, which would have to, does not read it once more.
func (c *Content) SHA256() inode.Digest {
	if c.measure == nil {
		m := new(remote.Measure)
		if _, err := io.Copy(m, io.NewSectionReader(c.F, 0, c.Length)); err != nil {
			return inode.Digest{}
		}
		c.measure = m
	}
	return inode.DigestOf(c.measure.SHA256())
}

// Open implements remote.Content. It begins a request, or a read before a request.
func (c *Content) Open() (io.ReadCloser, error) {
	if c.Gate != nil {
		if err := c.Gate.Begin(); err != nil {
			return nil, err
		}
	}
	return io.NopCloser(io.NewSectionReader(c.F, 0, c.Length)), nil
}

// File implements remote.FileContent.
func (c *Content) File() *os.File {
	if !c.sealed {
		return nil
	}
	return c.F
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

// Sent returns how many bytes the newest request has sent.
func (c *Content) Sent() int64 { return min(c.sent.Load(), c.Length) }
