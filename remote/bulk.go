package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"sync"
)

// blockSize is how much content is encoded at a time: a multiple of three, so
// that only the last block is padded.
const blockSize = 96 << 10

// contentError is a failure to read content on this machine. The service has no part
// in it.
type contentError struct{ err error }

func (e *contentError) Error() string { return e.err.Error() }
func (e *contentError) Unwrap() error { return e.err }

var errClosed = errors.New("the body is closed")

// ErrChanged is why content is not published that is not what was measured before.
var ErrChanged = errors.New("what this machine keeps of the content is not what was written: the disk is damaged, or something changed it; nothing was published")

// block is the memory that one pass over content needs.
type block struct {
	raw     [blockSize]byte
	encoded [blockSize / 3 * 12]byte // maxFormLength
}

var blocks = sync.Pool{New: func() any { return new(block) }}

// bulk is measured content that is streamed after a form.
type bulk struct {
	Content
	measured
	escaping escaping
}

// measured is what the client has to know about content before it sends it.
type measured struct {
	size  int64
	tally tally
	sum   [sha256.Size]byte
	crc   uint32
	whole []byte // the content, where one block is all of it; else nil
}

// castagnoli is the polynomial that processors have an instruction for. Its checksum
// shows at almost no cost that content has changed. It does not protect against
// somebody who forges it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// length is how long the content is in the form body.
func (b *bulk) length() int64 { return b.tally.length(b.size, b.escaping) }

// sha256 is that of the content, lower-case hex.
func (b *bulk) sha256() string { return hex.EncodeToString(b.sum[:]) }

// finisher asks the content whether a request may come to its end.
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

// watcher tells the content how much of it was sent.
func (b *bulk) watcher() func(sent int64) {
	if b != nil {
		if w, ok := b.Content.(Watched); ok {
			return w.Sending
		}
	}
	return func(int64) {}
}

// PlainBody is the body of a request that ends with content. A transport that needs no
// wire can have the content without base64 and escapes.
type PlainBody interface {
	io.ReadCloser
	// Plain is called before the first Read, if at all. The body then is the form up to
	// the value of the bulk field, followed by the content itself. Plain returns the
	// length of that.
	Plain() int64
}

// bulkBody is a form body that ends with content. Each attempt reads the content
// again. The last block is sent only after the content has proved to be what was
// measured. If the content has changed, the body ends before its Content-Length, and
// the service drops it.
type bulkBody struct {
	mu      sync.Mutex // the transport may close while it reads
	form    []byte
	bulk    *bulk
	content io.ReadCloser
	plain   bool   // the content is sent as it is
	block   *block // nil before there is something to encode
	crc     uint32
	read    int64
	encoded int64  // of what was read, bytes in the body
	pending []byte // encoded, not read yet
	err     error
	closed  bool
}

func (b *bulk) body(form []byte) (*bulkBody, error) {
	r, err := b.Open()
	if err != nil {
		return nil, &contentError{err}
	}
	return &bulkBody{form: form, bulk: b, content: r}, nil
}

// asItIs does what [PlainBody.Plain] says.
func (b *bulkBody) asItIs() int64 {
	b.plain = true
	return int64(len(b.form)) + b.bulk.size
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
	if b.read < b.bulk.size && b.encoded >= b.bulk.length() { // the end would be cut off, unseen
		b.err = &contentError{ErrChanged}
	}
	b.pending = b.pending[:b.last(len(b.pending))]
}

// next fills p with content, as far as there is some, or sets err.
func (b *bulkBody) next(p []byte) int {
	p = p[:min(b.bulk.size-b.read, int64(len(p)))]
	n, err := io.ReadFull(b.content, p)
	switch {
	case err == io.EOF && len(p) > 0, err == io.ErrUnexpectedEOF:
		b.err = &contentError{ErrChanged}
		return 0
	case err != nil && len(p) > 0:
		b.err = &contentError{err}
		return 0
	}
	b.crc = crc32.Update(b.crc, castagnoli, p)
	b.read += int64(n)
	b.bulk.watcher()(b.read)
	return n
}

// last returns how many of n bytes may be sent: none where the content is not what was
// measured, which shows at its end.
func (b *bulkBody) last(n int) int {
	if b.err == nil && b.read == b.bulk.size {
		b.err = b.verify()
	}
	if b.err != nil && b.err != io.EOF {
		return 0
	}
	return n
}

// verify returns io.EOF if exactly what was measured has been read.
func (b *bulkBody) verify() error {
	var more [1]byte
	n, err := io.ReadFull(b.content, more[:])
	switch {
	case n > 0, !b.plain && b.encoded != b.bulk.length(), b.crc != b.bulk.crc:
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
