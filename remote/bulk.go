package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"math"
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
	digits  [blockSize / 3 * 4]byte
	encoded [blockSize / 3 * 12]byte // three bytes are four digits, each at most %2B
}

var blocks = sync.Pool{New: func() any { return new(block) }}

// bulk is the content of an upload.
type bulk struct {
	Content
	measured
	growing Growing // not nil: it may still be written, and is not measured yet
	inForm  int64   // how long it is in a form; 0: not counted yet
}

// measured is what the client must know about content before it sends the content.
type measured struct {
	size  int64
	sum   [sha256.Size]byte
	crc   uint32
	whole []byte // the content, if it is one block; else nil
}

// castagnoli is the polynomial for which processors have an instruction. Its checksum
// detects changed content at almost no cost. It does not protect against forgery.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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

// countForm counts how long the content is in a form, in a pass over it, so that the form can say its length.
func (b *bulk) countForm(ctx context.Context, e escaping) error {
	if b.inForm > 0 {
		return nil
	}
	body, err := b.body(nil, nil, e, math.MaxInt64)
	if err != nil {
		return err
	}
	defer body.Close()
	body.content.told = func(int64) {}
	var n int64
	for body.err == nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		body.fill()
		n += int64(len(body.pending))
	}
	if body.err != io.EOF {
		return body.err
	}
	b.inForm = n
	return nil
}

// PlainBody is the body of a request that ends with content. A transport within the
// process can hand the file over that has the content.
type PlainBody interface {
	io.ReadCloser
	// File is that of a [FileContent], and the SHA-256 of the content; nil for other content. The body has
	// all its bytes only if the content is still what was measured.
	File() (file *os.File, sum [sha256.Size]byte)
}

// bulkBody is a body with content. Each attempt reads the content again. It sends its last bytes only after the
// content was verified: if that has changed, the body ends before its length or delimiter, and the service drops it.
type bulkBody struct {
	mu       sync.Mutex // the transport may close while it reads
	content  verified
	escaping escaping // nil: raw
	left     int64    // bytes of encoded content up to the end of the form
	tail     []byte   // what follows the content
	block    *block   // nil before the first block of encoded content
	pending  []byte   // bytes that Read returns first
	err      error    // once nothing but pending is left
	closed   bool
}

// body returns head, the content and tail. A form's content is length bytes long there.
func (b *bulk) body(head, tail []byte, e escaping, length int64) (*bulkBody, error) {
	r, err := b.Open()
	if err != nil {
		return nil, &contentError{err}
	}
	content := verified{ReadCloser: r, bulk: b, known: b.measured, growing: b.growing, told: b.watcher()}
	return &bulkBody{content: content, escaping: e, left: length, tail: tail, pending: head}, nil
}

// File implements [PlainBody].
func (b *bulkBody) File() (file *os.File, sum [sha256.Size]byte) {
	if f, ok := b.content.bulk.Content.(FileContent); ok {
		file = f.File()
	}
	return file, b.content.known.sum
}

func (b *bulkBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	total := 0
	for total < len(p) {
		var n int
		switch {
		case len(b.pending) > 0:
			n = copy(p[total:], b.pending)
			b.pending = b.pending[n:]
		case b.closed:
			return 0, errClosed
		case b.err != nil:
			if total > 0 {
				return total, nil
			}
			return 0, b.err
		case b.escaping == nil:
			n, b.err = b.content.Read(p[total:])
			if b.err == io.EOF {
				b.pending = b.tail
			}
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
	n, err := io.ReadFull(&b.content, b.block.raw[:])
	b.pending = b.block.appendBase64(b.block.encoded[:0], b.block.raw[:n], b.escaping)
	if b.left -= int64(len(b.pending)); b.left <= 0 && err == nil { // these are the last bytes, if nothing follows
		if n, err = b.content.Read(make([]byte, 1)); n > 0 {
			err = &contentError{ErrChanged}
		}
	}
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	if b.err = err; err != nil && err != io.EOF {
		b.pending = nil
	}
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

// verified reads content. It reaches io.EOF only if the content is the measured one.
type verified struct {
	io.ReadCloser
	bulk    *bulk
	known   measured // of all content; nothing while it grows
	growing Growing  // as of bulk, when the body was made; nil once all content is read
	told    func(read int64)
	crc     uint32
	read    int64
}

func (v *verified) Read(p []byte) (int, error) {
	n, err := v.ReadCloser.Read(p)
	v.crc = crc32.Update(v.crc, castagnoli, p[:n])
	v.read += int64(n)
	if err == io.EOF && v.growing != nil { // it is whole
		v.known, _ = before(v.growing)
		v.growing = nil
	}
	switch {
	case err != nil && err != io.EOF:
		return 0, &contentError{err}
	case v.growing == nil && v.read > v.known.size, err == io.EOF && (v.read != v.known.size || v.crc != v.known.crc):
		return 0, &contentError{ErrChanged}
	}
	if n > 0 {
		v.told(v.read)
	}
	return n, err
}
