package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"sync"
)

// blockSize is how many bytes of content are encoded at a time: a multiple of three, so
// that only the last block has padding.
const blockSize = 96 << 10

// contentError is a failure to read content locally. The service is not involved.
type contentError struct{ err error }

func (e *contentError) Error() string { return e.err.Error() }
func (e *contentError) Unwrap() error { return e.err }

var errClosed = errors.New("the body is closed")

// ErrChanged means that content has changed since it was measured. It is not published.
var ErrChanged = errors.New("the local copy of the content is not what was written: the disk is damaged, or something changed the copy; nothing was published")

// block is the memory that one pass over content needs.
type block struct {
	raw     [blockSize]byte
	encoded [blockSize / 3 * 12]byte // three bytes are four digits, each at most %2B
}

var blocks = sync.Pool{New: func() any { return new(block) }}

// bulk is measured content that is streamed after a form.
type bulk struct {
	Content
	measured
	growing  Growing // not nil: it may still be written, and is not measured yet
	escaping escaping
}

// measured is what the client must know about content before it sends the content.
type measured struct {
	size  int64
	tally tally
	sum   [sha256.Size]byte
	crc   uint32
	whole []byte // the content, if it is one block; else nil
}

// castagnoli is the polynomial for which processors have an instruction. Its checksum
// detects changed content at almost no cost. It does not protect against forgery.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// length returns how long the content is in the form body.
func (b *bulk) length() int64 { return b.tally.length(b.size, b.escaping) }

// sha256 returns the SHA-256 of the content, in lower-case hex.
func (b *bulk) sha256() string { return hex.EncodeToString(b.sum[:]) }

// finisher returns the function that asks the content whether a request may end.
func (b *bulk) finisher() func() error {
	if b != nil {
		if f, ok := b.Content.(Finisher); ok {
			return func() error {
				if err := f.Finish(); err != nil {
					return &contentError{err}
				}
				return nil
			}
		}
	}
	return func() error { return nil }
}

// watcher returns the function that reports to the content how much of it was sent.
func (b *bulk) watcher() func(sent int64) {
	if b != nil {
		if w, ok := b.Content.(Watched); ok {
			return w.Sending
		}
	}
	return func(int64) {}
}

// PlainBody is the body of a request that ends with content. A transport within the
// process can get the content without base64 and escapes.
type PlainBody interface {
	io.ReadCloser
	// Plain may only be called before the first Read. The body then is the form up to the
	// value of the bulk field, followed by the content itself. Plain returns the length
	// of that body, or -1 while programs still write it.
	Plain() int64
	// File is that of a [FileContent], and the SHA-256 of the content; nil for other content. The body has
	// all its bytes only if the content is still what was measured.
	File() (file *os.File, sum [sha256.Size]byte)
}

// bulkBody is a form body that ends with content. Each attempt reads the content again. It
// sends the last block only after it has verified that the content is the measured one.
// If the content has changed, the body ends before its Content-Length, and the service
// drops it.
type bulkBody struct {
	mu      sync.Mutex // the transport may close while it reads
	form    []byte
	bulk    *bulk
	known   measured // of all content; nothing while it grows
	growing Growing  // as of bulk, when the body was made; nil once all content is read
	content io.ReadCloser
	plain   bool   // the content is not encoded
	block   *block // nil before the first block
	crc     uint32
	read    int64
	encoded int64  // bytes in the body of the content read so far
	pending []byte // encoded bytes that Read has not returned yet
	err     error
	closed  bool
}

func (b *bulk) body(form []byte) (*bulkBody, error) {
	r, err := b.Open()
	if err != nil {
		return nil, &contentError{err}
	}
	return &bulkBody{form: form, bulk: b, known: b.measured, growing: b.growing, content: r}, nil
}

// asItIs implements [PlainBody.Plain].
func (b *bulkBody) asItIs() int64 {
	b.plain = true
	if b.growing != nil {
		return -1
	}
	return int64(len(b.form)) + b.known.size
}

// File implements [PlainBody].
func (b *bulkBody) File() (file *os.File, sum [sha256.Size]byte) {
	if f, ok := b.bulk.Content.(FileContent); ok {
		file = f.File()
	}
	return file, b.known.sum
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
		case b.closed:
			b.err = errClosed
		case b.plain:
			n = b.last(b.next(p[total:]))
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
		b.block = blocks.Get().(*block)
	}
	n := b.next(b.block.raw[:])
	if b.err != nil {
		return
	}
	b.pending = appendBase64(b.block.encoded[:0], b.block.raw[:n], b.bulk.escaping)
	b.encoded += int64(len(b.pending))
	if b.growing == nil && b.read < b.known.size && b.encoded >= b.length() { // the end would be cut off without an error
		b.err = &contentError{ErrChanged}
	}
	b.pending = b.pending[:b.last(len(b.pending))]
}

// length returns how long the content is in the body.
func (b *bulkBody) length() int64 { return b.known.tally.length(b.known.size, b.bulk.escaping) }

// next fills p with content, if there is some, or sets err.
func (b *bulkBody) next(p []byte) int {
	if b.growing == nil {
		p = p[:min(b.known.size-b.read, int64(len(p)))]
	}
	n, err := io.ReadFull(b.content, p)
	if b.growing != nil && (err == io.EOF || err == io.ErrUnexpectedEOF) { // it is whole
		b.known, _ = before(b.growing)
		if b.growing, p, err = nil, p[:n], nil; b.known.size < b.read+int64(n) {
			err = ErrChanged
		}
	}
	switch {
	case err == io.EOF && len(p) > 0, err == io.ErrUnexpectedEOF:
		b.err = &contentError{ErrChanged}
		return 0
	case err != nil && (len(p) > 0 || err == ErrChanged):
		b.err = &contentError{err}
		return 0
	}
	b.crc = crc32.Update(b.crc, castagnoli, p)
	b.read += int64(n)
	b.bulk.watcher()(b.read)
	return n
}

// last returns how many of n bytes may be sent: none if they are the last ones and the
// content is not the measured one.
func (b *bulkBody) last(n int) int {
	if b.err == nil && b.growing == nil && b.read == b.known.size {
		b.err = b.verify()
	}
	if b.err != nil && b.err != io.EOF {
		return 0
	}
	return n
}

// verify returns io.EOF if the content that was read is exactly the measured one.
func (b *bulkBody) verify() error {
	var more [1]byte
	n, err := io.ReadFull(b.content, more[:])
	switch {
	case n > 0, !b.plain && b.encoded != b.length(), b.crc != b.known.crc:
		return &contentError{ErrChanged}
	case err != io.EOF:
		return &contentError{err}
	}
	return io.EOF
}

func (b *bulkBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	if b.block != nil {
		blocks.Put(b.block)
	}
	b.closed, b.block, b.pending = true, nil, nil
	return b.content.Close()
}
