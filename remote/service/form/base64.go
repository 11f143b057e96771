package form

import (
	"fmt"
	"io"
)

// EncodingError says why the value of the bulk field is not base64.
type EncodingError struct {
	Offset int64 // in the value as sent
	Reason string
}

func (e *EncodingError) Error() string {
	return fmt.Sprintf("not base64: %s (at byte %d)", e.Reason, e.Offset)
}

// Classes of bytes in the table, in addition to the 64 digits.
const (
	padding = 64 + iota
	white
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
	for _, c := range []byte("\t\r\n") {
		t[c] = white
	}
	t[' '] = blank
	t['+'] = blank // the form encoding of a space; the digit + arrives as %2B
	t['='] = padding
	t['%'] = escape
	t['&'] = ampersand
	return t
}()

// plus is the class of a + that arrived as %2B.
const plus = 62

// base64Decoder decodes form-encoded base64 that arrives in arbitrary pieces, and writes the
// bytes to w. It stops decoding at the first fault.
type base64Decoder struct {
	w   io.Writer
	out []byte // decoded but not yet written

	quantum uint32 // digits of the current group
	digits  int    // how many of the group's four digits there are, including padding
	pads    int    // how many of them are padding; stays set after the last group
	escaped int    // 1 after a %, 2 after its first hex digit
	high    byte   // that hex digit

	consumed int64
	written  int64 // decoded bytes
	fault    *EncodingError
}

// feed decodes src up to its first & and returns how many bytes that was. The error is the
// writer's.
func (d *base64Decoder) feed(src []byte) (n int, ended bool, err error) {
	for n < len(src) && d.fault == nil {
		if cap(d.out)-len(d.out) < 3 {
			if err := d.flush(); err != nil {
				return n, false, err
			}
		}
		if d.digits == 0 && d.pads == 0 && d.escaped == 0 {
			if length := d.groups(src[n:]); length > 0 {
				n += length
				d.consumed += int64(length)
				continue
			}
		}
		if src[n] == '&' {
			return n, true, nil
		}
		d.take(src[n])
		n++
		d.consumed++
	}
	return n, false, nil
}

// groups decodes groups of four digits at the start of src, as long as there are twelve bytes more and out has room. It
// returns how many bytes of src they were.
func (d *base64Decoder) groups(src []byte) int {
	out := d.out[len(d.out):cap(d.out)]
	n, written := 0, 0
	for len(src)-n >= 12 && len(out)-written >= 3 {
		s, length := src[n:n+12], 4
		a, b, c, e := classes[s[0]], classes[s[1]], classes[s[2]], classes[s[3]]
		if a|b|c|e >= padding { // perhaps because some are escaped
			length = 0
			a, length = digitAt(s, length)
			b, length = digitAt(s, length)
			c, length = digitAt(s, length)
			if e, length = digitAt(s, length); a|b|c|e >= padding {
				break
			}
		}
		v := uint32(a)<<18 | uint32(b)<<12 | uint32(c)<<6 | uint32(e)
		out[written], out[written+1], out[written+2] = byte(v>>16), byte(v>>8), byte(v)
		n, written = n+length, written+3
	}
	d.out = d.out[:len(d.out)+written]
	return n
}

// digitAt returns the digit at i, which may be an escaped + or /, and the position behind it.
func digitAt(s []byte, i int) (digit uint8, behind int) {
	if s[i] != '%' {
		return classes[s[i]], i + 1
	}
	if s[i+1] == '2' {
		switch s[i+2] {
		case 'B', 'b':
			return plus, i + 3
		case 'F', 'f':
			return plus + 1, i + 3
		}
	}
	return foreign, i + 1
}

// take handles one byte other than an ampersand.
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
	case white:
	default:
		d.digit(c, class)
	}
}

// character handles the character of a percent escape.
func (d *base64Decoder) character(c byte) {
	switch class := classes[c]; {
	case c == '+':
		d.digit(c, plus)
	case class == escape || class == ampersand:
		d.digit(c, foreign)
	case class != white:
		d.digit(c, class)
	}
}

// digit adds a digit or padding to the current group.
func (d *base64Decoder) digit(c byte, class uint8) {
	switch {
	case class == padding && d.digits >= 2:
		d.pads++
	case class == padding:
		d.fail("padding in the wrong place")
		return
	case class == blank:
		// Ignoring it would store the wrong content.
		d.fail("a space, probably a + that is not percent-encoded as %2B")
		return
	case class > padding:
		d.fail(fmt.Sprintf("a character outside the alphabet, %q", c))
		return
	case d.pads > 0:
		d.fail("characters after the padding")
		return
	default:
		d.quantum = d.quantum<<6 | uint32(class)
	}
	if d.digits++; d.digits == 4 {
		d.group()
	}
}

// group decodes a complete group.
func (d *base64Decoder) group() {
	v := d.quantum << (6 * d.pads)
	if v&(1<<(8*d.pads)-1) != 0 {
		d.fail("unused bits that are not zero")
		return
	}
	d.out = append(d.out, []byte{byte(v >> 16), byte(v >> 8), byte(v)}[:3-d.pads]...)
	d.quantum, d.digits = 0, 0
}

// end handles the end of the value and writes the rest.
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
	d.written += int64(len(d.out))
	d.out = d.out[:0]
	return err
}

func (d *base64Decoder) fail(reason string) {
	d.fault = &EncodingError{Offset: d.consumed, Reason: reason}
}
