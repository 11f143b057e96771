package form

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/segmentio/asm/base64"
)

// maxRun is how many bytes of a value are decoded at a time. It is small
// enough for the processor's nearest cache, and bounds what a byte that ends a
// run early has looked at in vain.
const maxRun = 4 << 10

// run decodes what src begins with: digits, of which + and / are escaped. It
// tells how many bytes these are, and whether it has decoded them; if not, they
// are to be taken one at a time. d must be between two groups, with room for
// maxRun in out.
func (d *base64Decoder) run(src []byte) (length int, decoded bool) {
	digits := d.digitBuf
	length, n := unescapeDigits(digits, src[:min(len(src), maxRun)])
	whole := n / 4 * 4
	if whole == 0 || !d.begin(digits[whole:n]) {
		return length, false
	}
	at := len(d.out)
	// Of other bytes than digits, the decoder refuses some and drops the rest.
	if got, err := base64.StdEncoding.Decode(d.out[at:cap(d.out)], digits[:whole]); err != nil || got != whole/4*3 {
		d.quantum, d.digits = 0, 0
		return length, false
	}
	d.out = d.out[:at+whole/4*3]
	return length, true
}

// unescapeDigits copies src up to the first & or +, or the first escape of
// anything but + and /, and tells how much it has read and written.
func unescapeDigits(dst *[maxRun + 8]byte, src []byte) (read, written int) {
	for _, end := range []byte("&+") {
		if i := bytes.IndexByte(src, end); i >= 0 {
			src = src[:i]
		}
	}
	for read < len(src) {
		// Escapes are too near each other for a search of each.
		for read+8 <= len(src) {
			word := binary.LittleEndian.Uint64(src[read:])
			binary.LittleEndian.PutUint64(dst[written:], word)
			if found := percents(word); found != 0 {
				n := bits.TrailingZeros64(found) / 8
				read, written = read+n, written+n
				break
			}
			read, written = read+8, written+8
		}
		switch {
		case read == len(src):
		case src[read] != '%':
			dst[written] = src[read]
			read++
			written++
		default:
			digit := escapedDigit(src[read:])
			if digit == 0 {
				return read, written
			}
			dst[written] = digit
			read += len("%2B")
			written++
		}
	}
	return read, written
}

// percents has a bit set in the first byte of word, the lowest first, that is
// a %, and none before it.
func percents(word uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	word ^= '%' * ones
	return (word - ones) &^ word & highs
}

// escapedDigit is the + or / that s begins with, escaped; else 0. Which of them
// it is cannot be foretold, so nothing branches on that.
func escapedDigit(s []byte) byte {
	if len(s) < len("%2B") || s[1] != '2' {
		return 0
	}
	return behind2[s[2]]
}

// behind2 is the digit after %2 and one more character; else 0.
var behind2 = [256]byte{'B': '+', 'b': '+', 'F': '/', 'f': '/'}

// begin begins a group with at most three digits; false if one is not.
func (d *base64Decoder) begin(digits []byte) bool {
	var quantum uint32
	for _, c := range digits {
		class := classes[c]
		if c == '+' {
			class = plus
		}
		if class >= padding {
			return false
		}
		quantum = quantum<<6 | uint32(class)
	}
	d.quantum, d.digits = quantum, len(digits)
	return true
}
