package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
)

// measured is what has to be known of content before it is sent.
type measured struct {
	size   int64
	length int64 // of the content in the form body
	// sum is what a first reading found; nil where there was none, because the
	// content was Measured.
	sum   *[sha256.Size]byte
	whole []byte // the content in the form body, where one block is all of it; else nil
}

// Measured is content that was measured while it came about, and does not
// change any more.
type Measured interface {
	Content
	// Measure gives what all of the content was written to; nil where nothing
	// was.
	Measure() *Measure
}

// Measure spares an upload the first reading: all of the content is written to
// it, in order. Its zero value is that of empty content.
type Measure struct {
	size   int64
	length int64 // of the first bytes, a multiple of three, in the form body
	rest   [3]byte
	left   int // bytes of rest, which stand behind them
}

// Write never fails.
func (m *Measure) Write(p []byte) (int, error) {
	n := len(p)
	m.size += int64(n)
	if m.left > 0 {
		more := copy(m.rest[m.left:], p)
		p, m.left = p[more:], m.left+more
		if m.left < 3 {
			return n, nil
		}
		m.length += int64(formLength(m.rest[:]))
	}
	whole := len(p) / 3 * 3
	m.length += int64(formLength(p[:whole]))
	m.rest = [3]byte{}
	m.left = copy(m.rest[:], p[whole:])
	return n, nil
}

func (m *Measure) result() measured {
	return measured{size: m.size, length: m.length + int64(formLength(m.rest[:m.left]))}
}

// measure finds out what has to be known before content is sent. What one
// block holds need not be read again.
func measure(ctx context.Context, content Content) (measured, error) {
	if c, ok := content.(Measured); ok && content.Size() >= blockSize {
		if m := c.Measure(); m != nil && m.size == content.Size() {
			return m.result(), nil
		}
	}
	r, err := content.Open()
	if err != nil {
		return measured{}, &contentError{err}
	}
	defer r.Close()
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	var m Measure
	digest := sha256.New()
	for {
		if err := ctx.Err(); err != nil {
			return measured{}, err
		}
		n, err := io.ReadFull(r, b.raw[:])
		_, _ = m.Write(b.raw[:n])
		digest.Write(b.raw[:n])
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return measured{}, &contentError{err}
		}
	}
	if size := content.Size(); size != m.size {
		return measured{}, &contentError{fmt.Errorf("the content is %d bytes long instead of %d", m.size, size)}
	}
	result := m.result()
	result.sum = (*[sha256.Size]byte)(digest.Sum(nil))
	if m.size < blockSize {
		result.whole = bytes.Clone(b.encoded[:formBase64(b.encoded[:], b.raw[:m.size])])
	}
	return result, nil
}
