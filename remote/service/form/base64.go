package form

import (
	"encoding/binary"
	"fmt"
	"io"
)

// EncodingError tells why the value of the bulk field is not base64.
type EncodingError struct {
	Offset int64 // in the value as sent
	Reason string
}

func (e *EncodingError) Error() string {
	return fmt.Sprintf("not base64: %s (at byte %d)", e.Reason, e.Offset)
}

// Classes of bytes beyond the 64 digits in the table.
const (
	padding = 64 + iota
	blank
	escape
	ampersand
	foreign
)

var classes = func() (t [256]uint8) {
	for i := range t {
		t[i] = foreign
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = uint8(i)
	}
	for _, c := range []byte(" \t\r\n") {
		t[c] = blank
	}
	t['+'] = blank // in a form; the digit + arrives as %2B
	t['='] = padding
	t['%'] = escape
	t['&'] = ampersand
	return t
}()

// The classes of + and / that arrived as %2B and %2F.
const (
	plus  = 62
	slash = 63
)

// base64Decoder decodes the form-encoded base64 that it is fed, in pieces cut
// anywhere, and writes the bytes to w. After the first fault it decodes
// nothing more.
type base64Decoder struct {
	w   io.Writer
	out []byte // decoded, not yet written

	quantum uint32 // digits of the group under way
	digits  int    // how many of its four there are, padding included
	pads    int    // of them padding; stays set after the last group
	escaped int    // 1 after a %, 2 after its first hex digit
	high    byte   // that digit

	consumed int64
	fault    *EncodingError
}

// feed decodes src up to its first & and says how much that was. The error is
// the writer's.
func (d *base64Decoder) feed(src []byte) (n int, ended bool, err error) {
	for n < len(src) {
		if d.digits == 0 && d.pads == 0 && d.escaped == 0 {
			if n += d.groups(src[n:]); n == len(src) {
				break
			}
		}
		if src[n] == '&' {
			ended = true
			break
		}
		d.take(src[n])
		d.consumed++
		n++
		if d.fault != nil {
			break
		}
		if len(d.out)+3 > cap(d.out) {
			if err := d.flush(); err != nil {
				return n, false, err
			}
		}
	}
	return n, ended, nil
}

// groups decodes whole groups of four digits, of which + and / may be escaped,
// as many as stand at the start of src and have room in out.
func (d *base64Decoder) groups(src []byte) int {
	n, at, out := 0, len(d.out), d.out[:cap(d.out)]
	for {
		for len(src)-n >= 8 && len(out)-at >= 8 {
			s := src[n : n+8 : n+8]
			v := shifted[0][s[0]] | shifted[1][s[1]] | shifted[2][s[2]] | shifted[3][s[3]]
			w := shifted[0][s[4]] | shifted[1][s[5]] | shifted[2][s[6]] | shifted[3][s[7]]
			if (v | w) > groupMask {
				break
			}
			binary.BigEndian.PutUint64(out[at:at+8], uint64(v)<<40|uint64(w)<<16)
			n, at = n+8, at+6
		}
		v, length := escapedGroup(src[n:])
		if length == 0 || len(out)-at < 3 {
			break
		}
		out[at], out[at+1], out[at+2] = byte(v>>16), byte(v>>8), byte(v)
		n, at = n+length, at+3
	}
	d.out = out[:at]
	d.consumed += int64(n)
	return n
}

// groupMask covers the 24 bits of a group; shifted has digits at each of its
// four places, and more than the mask for what is no plain digit.
const groupMask = 1<<24 - 1

var shifted = func() (t [4][256]uint32) {
	for place := range t {
		for c, class := range classes {
			t[place][c] = groupMask + 1
			if class < padding {
				t[place][c] = uint32(class) << (18 - 6*place)
			}
		}
	}
	return t
}()

// escapedGroup decodes one group whose digits are plain, %2B or %2F; its
// length is 0 where src does not begin with such, or is too short to tell.
// Where the escapes stand is not predictable, so nothing branches on it.
func escapedGroup(src []byte) (v uint32, length int) {
	if len(src) < 4*len("%2B") {
		return 0, 0
	}
	var seen uint8
	for range 4 {
		s := src[length : length+3]
		class, width := classes[s[0]], 1
		escapee := second[s[1]] | third[s[2]]
		if class == escape {
			class = escapee
		}
		if s[0] == '%' {
			width = 3
		}
		seen |= class
		v = v<<6 | uint32(class&63)
		length += width
	}
	if seen >= padding {
		return 0, 0
	}
	return v, length
}

// second and third give the digit behind %2 and one more character, or'd; at
// least padding where these stand for no digit.
var second, third = func() (second, third [256]uint8) {
	for c := range third {
		second[c], third[c] = foreign, foreign
	}
	second['2'] = 0
	third['B'], third['b'], third['F'], third['f'] = plus, plus, slash, slash
	return second, third
}()

// take handles one byte that is not an ampersand.
func (d *base64Decoder) take(c byte) {
	switch d.escaped {
	case 1:
		d.high, d.escaped = c, 2
		if !isHex(c) {
			d.fail("a malformed percent escape")
		}
		return
	case 2:
		d.escaped = 0
		if !isHex(c) {
			d.fail("a malformed percent escape")
			return
		}
		d.character(unhex(d.high)<<4 | unhex(c))
		return
	}
	switch class := classes[c]; class {
	case escape:
		d.escaped = 1
	case blank:
	default:
		d.digit(c, class)
	}
}

// character handles what a percent escape stands for.
func (d *base64Decoder) character(c byte) {
	switch class := classes[c]; {
	case c == '+':
		d.digit(c, plus)
	case class == escape || class == ampersand:
		d.digit(c, foreign)
	case class != blank:
		d.digit(c, class)
	}
}

// digit adds a digit or a padding character to the group under way.
func (d *base64Decoder) digit(c byte, class uint8) {
	switch {
	case class == padding && d.digits >= 2:
		d.pads++
	case class == padding:
		d.fail("padding in the wrong place")
		return
	case class > padding:
		d.fail(fmt.Sprintf("a character outside the alphabet, %q", c))
		return
	case d.pads > 0:
		d.fail("something after the padding")
		return
	default:
		d.quantum = d.quantum<<6 | uint32(class)
	}
	if d.digits++; d.digits == 4 {
		d.group()
	}
}

// group decodes the group that has become complete.
func (d *base64Decoder) group() {
	v := d.quantum << (6 * d.pads)
	if v&(1<<(8*d.pads)-1) != 0 {
		d.fail("bits set that no byte takes")
		return
	}
	d.out = append(d.out, []byte{byte(v >> 16), byte(v >> 8), byte(v)}[:3-d.pads]...)
	d.quantum, d.digits = 0, 0
}

// end tells that the value is over and writes what is left.
func (d *base64Decoder) end() error {
	switch {
	case d.fault != nil:
	case d.escaped != 0:
		d.fail("a malformed percent escape")
	case d.digits != 0:
		d.fail("padding is missing")
	}
	if d.fault != nil {
		return nil
	}
	return d.flush()
}

func (d *base64Decoder) flush() error {
	if len(d.out) == 0 {
		return nil
	}
	_, err := d.w.Write(d.out)
	d.out = d.out[:0]
	return err
}

func (d *base64Decoder) fail(reason string) {
	d.fault = &EncodingError{Offset: d.consumed, Reason: reason}
}
