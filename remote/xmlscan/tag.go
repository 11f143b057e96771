package xmlscan

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// errShort: the tag goes on past the bytes at hand.
var errShort = errors.New("short")

// Classes of bytes inside markup.
const (
	nameByte  = 1 << iota // may stand in a name
	startByte             // may begin a name
	spaceByte
	plainByte // stands for itself in an attribute value
)

var class = func() (c [256]uint8) {
	for b := range c {
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_', b == ':', b >= utf8.RuneSelf:
			c[b] |= nameByte | startByte
		case b >= '0' && b <= '9', b == '-', b == '.':
			c[b] |= nameByte
		case b == ' ', b == '\t', b == '\r', b == '\n':
			c[b] |= spaceByte
		}
		if b >= ' ' && b < utf8.RuneSelf && b != '&' && b != '<' {
			c[b] |= plainByte
		}
	}
	return c
}()

// nameLength is the length of the name that data begins with, 0 for none.
func nameLength(data []byte) int {
	if len(data) == 0 || class[data[0]]&startByte == 0 {
		return 0
	}
	n := 1
	for n < len(data) && class[data[n]]&nameByte != 0 {
		n++
	}
	return n
}

func spaces(data []byte) int {
	n := 0
	for n < len(data) && class[data[n]]&spaceByte != 0 {
		n++
	}
	return n
}

// parseEnd reads an end tag. Outside of a payload a blank after the slash is
// taken, which samples of the service's documentation have.
func (s *Scanner) parseEnd(data []byte) (int, bool, error) {
	i := 2
	if !s.capturing {
		i += spaces(data[i:])
	}
	n := nameLength(data[i:])
	if i+n == len(data) {
		return 0, false, errShort
	}
	name := data[i : i+n]
	i += n
	i += spaces(data[i:])
	switch {
	case i == len(data):
		return 0, false, errShort
	case n == 0 || data[i] != '>':
		return 0, false, s.fault("a malformed end tag")
	}
	s.Name = name
	return i + 1, false, nil
}

// parseStart reads a start tag into name and attrs.
func (s *Scanner) parseStart(data []byte) (int, bool, error) {
	n := nameLength(data[1:])
	i := 1 + n
	if i == len(data) {
		return 0, false, errShort
	}
	if n == 0 || !utf8.Valid(data[1:i]) {
		return 0, false, s.fault("a < that begins no tag")
	}
	s.Name = data[1:i]
	s.Attrs, s.scratch, s.Replaced = s.Attrs[:0], s.scratch[:0], false
	for {
		gap := spaces(data[i:])
		i += gap
		if i == len(data) {
			return 0, false, errShort
		}
		switch data[i] {
		case '>':
			return i + 1, false, nil
		case '/':
			if i+1 == len(data) {
				return 0, false, errShort
			}
			if data[i+1] != '>' {
				return 0, false, s.fault("a / inside a tag")
			}
			return i + 2, true, nil
		}
		if gap == 0 {
			return 0, false, s.fault("a malformed start tag")
		}
		n, err := s.parseAttribute(data[i:])
		if err != nil {
			return 0, false, err
		}
		i += n
	}
}

func (s *Scanner) parseAttribute(data []byte) (int, error) {
	n := nameLength(data)
	name := data[:n]
	i := n + spaces(data[n:])
	if i == len(data) {
		return 0, errShort
	}
	if n == 0 || data[i] != '=' {
		return 0, s.fault("a malformed attribute")
	}
	i++
	i += spaces(data[i:])
	if i == len(data) {
		return 0, errShort
	}
	quote := data[i]
	if quote != '"' && quote != '\'' {
		return 0, s.fault("an attribute value without quotes")
	}
	i++
	length := bytes.IndexByte(data[i:], quote)
	if length < 0 {
		return 0, errShort
	}
	value, err := s.attributeValue(data[i : i+length])
	if err != nil {
		return 0, err
	}
	if len(s.Attrs) == maxAttributes {
		return 0, s.fault("too many attributes")
	}
	if !utf8.Valid(name) || s.Attr(string(name)) != nil {
		return 0, s.fault("an attribute that occurs twice or has a malformed name")
	}
	s.Attrs = append(s.Attrs, Attr{name, value})
	return i + length + 1, nil
}

// attributeValue resolves references and turns white space into blanks. The
// value is raw itself where nothing is to be done; it is never nil.
func (s *Scanner) attributeValue(raw []byte) ([]byte, error) {
	n := 0
	for n < len(raw) && class[raw[n]]&plainByte != 0 {
		n++
	}
	if n == len(raw) {
		return raw, nil
	}
	if bytes.IndexByte(raw, '<') >= 0 {
		return nil, s.fault("a < in an attribute value")
	}
	raw, err := s.characters(raw)
	if err != nil {
		return nil, err
	}
	from := len(s.scratch)
	s.scratch = append(s.scratch, raw[:n]...)
	for n < len(raw) {
		switch c := raw[n]; c {
		case '&':
			length, err := s.appendReference(&s.scratch, raw[n:])
			if err != nil {
				return nil, err
			}
			n += length
			continue
		case '\r':
			if n+1 == len(raw) || raw[n+1] != '\n' {
				s.scratch = append(s.scratch, ' ')
			}
		case '\t', '\n':
			s.scratch = append(s.scratch, ' ')
		default:
			s.scratch = append(s.scratch, c)
		}
		n++
	}
	return s.scratch[from:len(s.scratch):len(s.scratch)], nil
}
