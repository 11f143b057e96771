// Package digits escapes the digits of base64 for a form, and takes the escapes back.
//
// Of the alphabet, + must be %2B in a form, where it means a blank; / may be %2F (service-contract.md, 1.3). One digit in 64 is
// a +, so there is an escape in each few dozen bytes: too many for a search of its own each. On amd64 the processor's vectors
// copy and search at once, which takes half of the time.
package digits

import "bytes"

// AppendEscaped appends digits to a form body, each + as %2B. It is quick where body has room for three bytes a digit.
func AppendEscaped(body, digits []byte) []byte {
	if room := body[len(body):cap(body)]; len(room) >= len("%2B")*len(digits) {
		read, written := copyEscaped(room, digits)
		body, digits = body[:len(body)+written], digits[read:]
	}
	for {
		i := bytes.IndexByte(digits, '+')
		if i < 0 {
			return append(body, digits...)
		}
		body = append(append(body, digits[:i]...), "%2B"...)
		digits = digits[i+1:]
	}
}

// Unescape copies src up to the first +, or the first escape of anything but + and /. It returns how many bytes it read and
// wrote. dst must be as long as src; what lies behind the written bytes may change.
func Unescape(dst, src []byte) (read, written int) {
	read, written = copyUnescaped(dst, src)
	for { // a search for + in all of src would be in vain for each escape that ends a run
		piece, _, _ := bytes.Cut(src[read:], []byte{'%'})
		piece, _, _ = bytes.Cut(piece, []byte{'+'})
		n := copy(dst[written:], piece)
		read, written = read+n, written+n
		digit := escaped(src[read:])
		if digit == 0 {
			return read, written
		}
		dst[written] = digit
		read, written = read+len("%2B"), written+1
	}
}

// escaped returns the escaped + or / at the start of s, or 0. It avoids branches on which of the two it is: they are
// unpredictable.
func escaped(s []byte) byte {
	if len(s) < len("%2B") || s[0] != '%' || s[1] != '2' {
		return 0
	}
	return ofHex[s[2]]
}

// ofHex maps the character after %2 to the digit, or 0.
var ofHex = [256]byte{'B': '+', 'b': '+', 'F': '/', 'f': '/'}
