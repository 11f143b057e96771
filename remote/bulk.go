package remote

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"sync"
)

// blockSize is how much content is encoded at a time: a multiple of three, so
// that only the last block is padded.
const blockSize = 96 << 10

// contentError is a failure on this side while content is read; nothing of
// it is the service's doing.
type contentError struct{ err error }

func (e *contentError) Error() string { return e.err.Error() }
func (e *contentError) Unwrap() error { return e.err }

var errClosed = errors.New("the body is closed")

var errChanged = errors.New("the content changed while it was being sent; nothing was published")

// block is the memory that one reading of content needs.
type block struct {
	raw     [blockSize]byte
	encoded [blockSize/3*12 + 32]byte // maxFormLength
}

var blocks = sync.Pool{New: func() any { return new(block) }}

// bulkBody is a form body that ends with content, read anew. The last block
// is held back until the content has proved to be what was measured: a body
// of content that changed ends before its Content-Length, and the service
// drops it.
type bulkBody struct {
	mu      sync.Mutex // the transport may close while it reads
	form    []byte
	want    measured
	content io.ReadCloser
	block   *block
	digest  hash.Hash
	read    int64
	pending []byte // encoded, not read yet
	err     error
}

func newBulkBody(form []byte, content Content, want measured) (*bulkBody, error) {
	r, err := content.Open()
	if err != nil {
		return nil, &contentError{err}
	}
	return &bulkBody{form: form, want: want, content: r, block: blocks.Get().(*block), digest: sha256.New()}, nil
}

func (b *bulkBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	total := 0
	for total < len(p) {
		var n int
		switch {
		case len(b.form) > 0:
			n = copy(p[total:], b.form)
			b.form = b.form[n:]
		case len(b.pending) > 0:
			n = copy(p[total:], b.pending)
			b.pending = b.pending[n:]
		case b.err != nil:
			if total > 0 {
				return total, nil
			}
			return 0, b.err
		default:
			b.fill()
		}
		total += n
	}
	return total, nil
}

// fill encodes the next block, or sets err.
func (b *bulkBody) fill() {
	if b.block == nil {
		b.err = errClosed
		return
	}
	want := min(b.want.size-b.read, blockSize)
	n, err := io.ReadFull(b.content, b.block.raw[:want])
	switch {
	case err == io.EOF && want > 0, err == io.ErrUnexpectedEOF:
		b.err = &contentError{errChanged}
		return
	case err != nil && want > 0:
		b.err = &contentError{err}
		return
	}
	b.digest.Write(b.block.raw[:n])
	b.read += int64(n)
	if b.read == b.want.size {
		if b.err = b.verify(); b.err != io.EOF {
			return
		}
	}
	b.pending = b.block.encoded[:formBase64(b.block.encoded[:], b.block.raw[:n])]
}

// verify is io.EOF where all that was measured has been read, and no more is
// there.
func (b *bulkBody) verify() error {
	var more [1]byte
	n, err := io.ReadFull(b.content, more[:])
	switch {
	case n > 0, [sha256.Size]byte(b.digest.Sum(nil)) != b.want.sum:
		return &contentError{errChanged}
	case err != io.EOF:
		return &contentError{err}
	}
	return io.EOF
}

func (b *bulkBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.block == nil {
		return nil
	}
	blocks.Put(b.block)
	b.block, b.pending = nil, nil
	return b.content.Close()
}
