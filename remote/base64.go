package remote

import (
	"encoding/base64"
	"encoding/binary"
)

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// formPairs gives for twelve bits their two base64 digits as a form body
// carries them: + and / take three bytes each. The text is in the low six
// bytes, little-endian, its length in the highest. formLengths has the lengths
// alone, which stay in the processor's nearest cache.
var formPairs, formLengths = func() (pairs [1 << 12]uint64, lengths [1 << 12]uint8) {
	for v := range pairs {
		var text [8]byte
		digits := string([]byte{base64Alphabet[v>>6], base64Alphabet[v&63]})
		n := copy(text[:], appendEscaped(nil, digits))
		pairs[v] = binary.LittleEndian.Uint64(text[:]) | uint64(n)<<56
		lengths[v] = uint8(n)
	}
	return pairs, lengths
}()

// maxFormLength is the most bytes that formBase64 writes for n bytes, with
// room for what it writes at a time.
func maxFormLength(n int) int { return (n+2)/3*12 + 32 }

// formLength is how long src is as base64 in a form body.
func formLength(src []byte) int {
	n := 0
	for len(src) >= 8 {
		v := binary.BigEndian.Uint64(src)
		n += int(formLengths[v>>52]) + int(formLengths[v>>40&0xfff]) +
			int(formLengths[v>>28&0xfff]) + int(formLengths[v>>16&0xfff])
		src = src[6:]
	}
	for len(src) >= 3 {
		v := uint(src[0])<<16 | uint(src[1])<<8 | uint(src[2])
		n += int(formLengths[v>>12]) + int(formLengths[v&0xfff])
		src = src[3:]
	}
	return n + len(formTail(src))
}

// formBase64 writes src as base64 in a form body to dst, which is at least
// maxFormLength long, and gives the length.
func formBase64(dst, src []byte) int {
	n := 0
	for len(src) >= 8 {
		v := binary.BigEndian.Uint64(src)
		a, b, c, d := formPairs[v>>52], formPairs[v>>40&0xfff], formPairs[v>>28&0xfff], formPairs[v>>16&0xfff]
		// Room for more than four pairs, and masks that change nothing: so the
		// compiler knows the bounds.
		out := dst[n : n+32]
		at := a >> 56
		binary.LittleEndian.PutUint64(out, a)
		binary.LittleEndian.PutUint64(out[at&7:], b)
		at += b >> 56
		binary.LittleEndian.PutUint64(out[at&15:], c)
		at += c >> 56
		binary.LittleEndian.PutUint64(out[at&31:], d)
		n += int(at + d>>56)
		src = src[6:]
	}
	for len(src) >= 3 {
		v := uint(src[0])<<16 | uint(src[1])<<8 | uint(src[2])
		first, second := formPairs[v>>12], formPairs[v&0xfff]
		binary.LittleEndian.PutUint64(dst[n:], first)
		n += int(first >> 56)
		binary.LittleEndian.PutUint64(dst[n:], second)
		n += int(second >> 56)
		src = src[3:]
	}
	return n + copy(dst[n:], formTail(src))
}

// formTail is the padded end of at most two bytes.
func formTail(src []byte) []byte {
	if len(src) == 0 {
		return nil
	}
	return appendEscaped(nil, base64.StdEncoding.EncodeToString(src))
}
