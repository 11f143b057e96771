package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
)

// measured is what a first reading of content finds out.
type measured struct {
	size   int64
	length int64 // of the content in the form body
	sum    [sha256.Size]byte
	whole  []byte // the content in the form body, where one block is all of it; else nil
}

// Measured is content whose first reading was made while it came about.
type Measured interface {
	Content
	// Measure gives what all of the content was written to; nil where nothing
	// was.
	Measure() *Measure
}

// Measure takes the place of the first reading of an upload: all of the
// content is written to it, in order.
type Measure struct {
	sum    hash.Hash
	size   int64
	length int64  // of the first bytes, a multiple of three, in the form body
	rest   []byte // the bytes behind them
}

// NewMeasure begins a measure.
func NewMeasure() *Measure { return &Measure{sum: sha256.New(), rest: make([]byte, 0, 3)} }

// Write never fails.
func (m *Measure) Write(p []byte) (int, error) {
	m.sum.Write(p)
	m.size += int64(len(p))
	left := p
	if len(m.rest) > 0 {
		n := min(3-len(m.rest), len(left))
		m.rest, left = append(m.rest, left[:n]...), left[n:]
		if len(m.rest) < 3 {
			return len(p), nil
		}
		m.length += int64(formLength(m.rest))
	}
	n := len(left) / 3 * 3
	m.length += int64(formLength(left[:n]))
	m.rest = append(m.rest[:0], left[n:]...)
	return len(p), nil
}

func (m *Measure) result() measured {
	r := measured{size: m.size, length: m.length + int64(formLength(m.rest))}
	m.sum.Sum(r.sum[:0])
	return r
}

// measure finds out what has to be known before content is sent: its size, its
// SHA-256, and how long it is as percent-encoded base64. What one block holds
// need not be read again.
func measure(ctx context.Context, content Content) (measured, error) {
	if c, ok := content.(Measured); ok {
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
	m := NewMeasure()
	for {
		if err := ctx.Err(); err != nil {
			return measured{}, err
		}
		n, err := io.ReadFull(r, b.raw[:])
		_, _ = m.Write(b.raw[:n])
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
	if m.size < blockSize {
		result.whole = bytes.Clone(b.encoded[:formBase64(b.encoded[:], b.raw[:m.size])])
	}
	return result, nil
}
