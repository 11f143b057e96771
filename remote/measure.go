package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// Measured is content that was measured while it was written and does not change any more.
type Measured interface {
	Content
	// Measure returns the Measure to which all content was written; nil for none.
	Measure() *Measure
}

// Measure saves an upload the first pass over its content. Its owner writes the whole
// content to it, in order. The zero value is that of empty content.
type Measure struct {
	size int64
	sum  hash.Hash
	crc  uint32

	known *measured // from an earlier run; nil for none
}

// Write never fails.
func (m *Measure) Write(p []byte) (int, error) {
	if m.sum == nil {
		m.sum = sha256.New()
	}
	m.size += int64(len(p))
	m.sum.Write(p)
	m.crc = crc32.Update(m.crc, castagnoli, p)
	return len(p), nil
}

// result returns the measure of everything written so far.
func (m *Measure) result() measured {
	if m.known != nil {
		return *m.known
	}
	result := measured{size: m.size, crc: m.crc}
	if m.sum == nil {
		result.sum = sha256.Sum256(nil)
	} else {
		m.sum.Sum(result.sum[:0])
	}
	return result
}

// SHA256 returns the SHA-256 of everything written so far, in lower-case hex.
func (m *Measure) SHA256() string {
	sum := m.result().sum
	return hex.EncodeToString(sum[:])
}

// before returns the measure of content that was measured while it was written; false for
// other content.
func before(content Content) (measured, bool) {
	c, ok := content.(Measured)
	if !ok {
		return measured{}, false
	}
	m := c.Measure()
	if m == nil {
		return measured{}, false
	}
	result := m.result()
	return result, result.size == content.Size()
}

// measure returns the measure of content. It reads content that was not measured while it
// was written. It reads and keeps content of one block in any case, so that nothing has
// to read it again.
func measure(ctx context.Context, content Content) (measured, error) {
	known, ok := before(content)
	if ok && known.size >= blockSize {
		return known, nil // compared with the content during the upload
	}
	if ok {
		return known.small(content)
	}
	r, err := content.Open()
	if err != nil {
		return measured{}, &contentError{err}
	}
	defer r.Close()
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	var m Measure
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
	result := m.result()
	if size := content.Size(); size != result.size {
		return measured{}, &contentError{fmt.Errorf("the content is %d bytes long instead of %d", result.size, size)}
	}
	if result.size < blockSize {
		result.whole = bytes.Clone(b.raw[:result.size])
	}
	return result, nil
}

// small returns m together with its content of one block.
func (m measured) small(content Content) (measured, error) {
	r, err := content.Open()
	if err != nil {
		return measured{}, &contentError{err}
	}
	defer r.Close()
	m.whole = make([]byte, m.size)
	_, err = io.ReadFull(r, m.whole)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return measured{}, &contentError{ErrChanged}
	}
	if err != nil {
		return measured{}, &contentError{err}
	}
	if crc32.Checksum(m.whole, castagnoli) != m.crc {
		return measured{}, &contentError{ErrChanged}
	}
	return m, nil
}

// Kept returns a text from which MeasureOf makes the same Measure in a later run of the
// process. It is "" for content of one block, which is read in any case.
func (m *Measure) Kept() string {
	result := m.result()
	if result.size < blockSize {
		return ""
	}
	return fmt.Sprintf("%x-%08x", result.sum, result.crc)
}

// MeasureOf returns the measure of content of some size, from the text of Kept; nil if the
// text is invalid. Nothing may be written to it. Earlier versions appended more.
func MeasureOf(text string, size int64) *Measure {
	if text == "" {
		return nil
	}
	known, sum := measured{size: size}, []byte(nil)
	if _, err := fmt.Sscanf(text, "%x-%08x", &sum, &known.crc); err != nil || len(sum) != sha256.Size {
		return nil
	}
	copy(known.sum[:], sum)
	return &Measure{known: &known}
}
