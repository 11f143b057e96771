package remote

import (
	"bytes"
	"sync"

	"github.com/segmentio/asm/base64"

	"paperfs/remote/digits"
)

// digitsAt is how many bytes of content encode takes at a time: a multiple of three whose
// digits fit into the processor's first-level cache.
const digitsAt = 12 << 10

// digitBuffer has room for the digits of digitsAt bytes.
type digitBuffer [digitsAt / 3 * 4]byte

var digitBuffers = sync.Pool{New: func() any { return new(digitBuffer) }}

// encode returns src, at most digitsAt bytes, as base64.
func (d *digitBuffer) encode(src []byte) []byte {
	digits := d[:base64.StdEncoding.EncodedLen(len(src))]
	base64.StdEncoding.Encode(digits, src)
	return digits
}

// escaping says which characters of base64 are percent-encoded in a form. A + must be,
// because it means a blank. A / and a = need not be for parsers that follow the URL
// standard.
type escaping bool

const (
	plusAlone escaping = false
	allThree  escaping = true
)

// appendBase64 appends src to a form body as base64.
func appendBase64(body, src []byte, e escaping) []byte {
	buffer := digitBuffers.Get().(*digitBuffer)
	defer digitBuffers.Put(buffer)
	for len(src) > 0 {
		n := min(len(src), digitsAt)
		if encoded := buffer.encode(src[:n]); e == allThree {
			body = appendEscaped(body, encoded)
		} else {
			body = digits.AppendEscaped(body, encoded)
		}
		src = src[n:]
	}
	return body
}

// tally counts the characters of encoded content that escaping may affect, without the
// padding.
type tally struct{ plus, slash int64 }

func (t *tally) count(src []byte) {
	buffer := digitBuffers.Get().(*digitBuffer)
	defer digitBuffers.Put(buffer)
	for len(src) > 0 {
		n := min(len(src), digitsAt)
		digits := buffer.encode(src[:n])
		t.plus += int64(bytes.Count(digits, []byte{'+'}))
		t.slash += int64(bytes.Count(digits, []byte{'/'}))
		src = src[n:]
	}
}

// length returns how long content of so many bytes is in a form body.
func (t tally) length(size int64, e escaping) int64 {
	const more = int64(len("%2B") - 1)
	length := (size+2)/3*4 + more*t.plus
	if e == allThree {
		padding := (size+2)/3*3 - size
		length += more * (t.slash + padding)
	}
	return length
}
