package form

import (
	"bytes"

	"github.com/segmentio/asm/base64"
)

// maxRun is how many bytes of a value are decoded at a time. It fits into the processor's L1
// cache, and limits how much was scanned in vain when a byte ends a run early.
const maxRun = 4 << 10

// run decodes the digits at the start of src, including escaped + and /. It returns how many
// bytes they are and whether it decoded them; if not, the caller takes them one at a time. d must
// be between two groups, with room for maxRun bytes in out.
func (d *base64Decoder) run(src []byte) (length int, decoded bool) {
	digits := d.digitBuf
	length, n := unescapeDigits(digits, src[:min(len(src), maxRun)])
	for n > 0 && digits[n-1] == '=' { // padding is for take, and must not end the run of the digits before it in vain
		length, n = length-1, n-1
	}
	whole := n / 4 * 4
	if whole == 0 || !d.begin(digits[whole:n]) {
		return length, false
	}
	at := len(d.out)
	// The decoder rejects some bytes that are not digits, as the & behind a value, and silently drops others.
	if got, err := base64.StdEncoding.Decode(d.out[at:cap(d.out)], digits[:whole]); err != nil || got != whole/4*3 {
		d.quantum, d.digits = 0, 0
		return length, false
	}
	d.out = d.out[:at+whole/4*3]
	return length, true
}

// unescapeDigits copies src up to the first +, or the first escape of anything but + and /. It returns how many bytes it
// read and wrote.
func unescapeDigits(dst *[maxRun + 8]byte, src []byte) (read, written int) {
	if i := bytes.IndexByte(src, '+'); i >= 0 {
		src = src[:i]
	}
	for {
		n := bytes.IndexByte(src[read:], '%')
		if n < 0 {
			return len(src), written + copy(dst[written:], src[read:])
		}
		copy(dst[written:], src[read:read+n])
		read, written = read+n, written+n
		digit := escapedDigit(src[read:])
		if digit == 0 {
			return read, written
		}
		dst[written] = digit
		read, written = read+len("%2B"), written+1
	}
}

// escapedDigit returns the escaped + or / at the start of s, or 0. It avoids branches on which of
// the two it is: they are unpredictable.
func escapedDigit(s []byte) byte {
	if len(s) < len("%2B") || s[1] != '2' {
		return 0
	}
	return escapedDigits[s[2]]
}

// escapedDigits maps the character after %2 to the digit, or 0.
var escapedDigits = [256]byte{'B': '+', 'b': '+', 'F': '/', 'f': '/'}

// begin starts a group with at most three digits. It returns false if one of them is not a digit.
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
