package xmlscan

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// errShort means that the buffer ends within the tag.
var errShort = errors.New("short")

func (s *Scanner) startTag() (Token, error) {
	if s.rooted && len(s.marks) == 0 {
		return 0, s.fault("a second root element")
	}
	if len(s.marks) == maxDepth {
		return 0, errDepth
	}
	n, empty, err := s.whole(s.parseStart)
	if err != nil {
		return 0, err
	}
	if s.MaxTag > 0 && (n > s.MaxTag || len(s.open)+len(s.Name) > s.MaxTag) {
		return 0, errTag
	}
	s.begun, s.rooted = true, true
	s.tokenAt = s.pos
	s.pos += n
	s.marks = append(s.marks, len(s.open))
	s.open = append(s.open, s.Name...)
	s.pendingEnd = empty
	return Start, nil
}

func (s *Scanner) endTag() (Token, error) {
	n, _, err := s.whole(s.parseEnd)
	if err != nil {
		return 0, err
	}
	if len(s.marks) == 0 {
		return 0, s.fault("an end tag without a start tag")
	}
	if top := s.open[s.marks[len(s.marks)-1]:]; !bytes.Equal(top, s.Name) {
		return 0, s.fault(fmt.Sprintf("element <%s> is ended by </%s>", Brief(top), Brief(s.Name)))
	}
	s.tokenAt = s.pos
	s.pos += n
	s.pop()
	return End, nil
}

// pop closes the innermost element and makes its name the current one.
func (s *Scanner) pop() {
	last := s.marks[len(s.marks)-1]
	s.marks = s.marks[:len(s.marks)-1]
	s.Name = s.open[last:]
	s.open = s.open[:last]
	s.Attrs = s.Attrs[:0]
}

// whole reads more input and runs parse again until the buffer has the whole tag.
func (s *Scanner) whole(parse func(data []byte) (n int, empty bool, err error)) (int, bool, error) {
	for {
		n, empty, err := parse(s.buf[s.pos:])
		if err != errShort {
			return n, empty, err
		}
		have := len(s.buf) - s.pos
		if have >= s.mostTag() {
			return 0, false, errTag
		}
		// At least as much again, so that parsing again stays linear.
		if err := s.need(have + max(have, 1)); err != nil {
			if have == len(s.buf)-s.pos {
				return 0, false, err
			}
			// The input ended, but the tag got longer.
		}
	}
}

func (s *Scanner) mostTag() int {
	if s.MaxTag > 0 {
		return s.MaxTag
	}
	return maxTag
}

// parseEnd reads an end tag. Outside of a payload it accepts a blank after the slash,
// because samples in the service's documentation have it.
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

// attributeValue resolves references and turns white space into blanks. It returns raw
// itself if there is nothing to change, and never nil.
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
