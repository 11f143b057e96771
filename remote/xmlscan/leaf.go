package xmlscan

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// MaxScalar is the most bytes of a code, an id, a token or a message, maxText of a text leaf.
const (
	MaxScalar = 64 << 10
	maxText   = 64 << 20
)

// UnexpectedError means that a document is well-formed but not what its reader expects.
type UnexpectedError struct{ words string }

func (e *UnexpectedError) Error() string { return e.words }

// Unexpected returns an UnexpectedError.
func Unexpected(format string, args ...any) error {
	return &UnexpectedError{fmt.Sprintf(format, args...)}
}

// leaf collects the character data below an element. If the data is CDATA with white space
// around it, text drops that white space: the padded form of an answer has it (contract,
// 2.2).
type leaf struct {
	data     []byte
	from, to int // the part between the first and the last CDATA section
	sections bool
	outside  bool // text outside of the sections that is not white space
}

func (l *leaf) add(text []byte, cdata bool) {
	switch {
	case cdata && !l.sections:
		l.sections, l.from = true, len(l.data)
	case !cdata && spaces(text) < len(text):
		l.outside = true
	}
	l.data = append(l.data, text...)
	if cdata {
		l.to = len(l.data)
	}
}

func (l *leaf) text() string {
	if l.sections && !l.outside {
		return string(l.data[l.from:l.to])
	}
	return string(l.data)
}

// readLeaf reads the current element to its end.
func (s *Scanner) readLeaf(most int) (*leaf, error) {
	var l leaf
	name := s.Local()
	for depth := s.Depth(); s.Depth() >= depth; {
		tok, err := s.Next()
		if err != nil {
			return nil, err
		}
		if tok != Text {
			continue
		}
		if len(l.data)+len(s.Text) > most {
			return nil, Unexpected("the element <%s> is longer than %d bytes", Brief([]byte(name)), most)
		}
		l.add(s.Text, s.CDATA)
	}
	return &l, nil
}

// Scalar reads the current element to its end and returns its text without the white
// space around it.
func (s *Scanner) Scalar() (string, error) {
	l, err := s.readLeaf(MaxScalar)
	if err != nil {
		return "", err
	}
	return string(bytes.TrimSpace(l.data)), nil
}

// TextLeaf reads the current element to its end and returns its text with white space.
func (s *Scanner) TextLeaf() (string, error) {
	l, err := s.readLeaf(maxText)
	if err != nil {
		return "", err
	}
	return l.text(), nil
}

// AttrText returns an attribute as text; empty if it is absent.
func (s *Scanner) AttrText(name string) string { return string(s.Attr(name)) }

// AttrID reads an attribute that must be a positive id.
func (s *Scanner) AttrID(name string) (int64, error) {
	value := s.Attr(name)
	if value == nil {
		return 0, Unexpected("an element <%s> without the attribute %q", Brief(s.Name), name)
	}
	return ParseID(value)
}

// ParseID reads an id: decimal, positive. It accepts more than the 32 bits of the
// contract: a client does not depend on them.
func ParseID(value []byte) (int64, error) {
	value = bytes.TrimSpace(value)
	var id int64
	for _, c := range value {
		if c < '0' || c > '9' || len(value) > 18 {
			return 0, Unexpected("an id that is not a number: %q", Brief(value))
		}
		id = id*10 + int64(c-'0')
	}
	if id == 0 {
		return 0, Unexpected("an id that is not positive: %q", Brief(value))
	}
	return id, nil
}

// ParseNumber reads a whole number; -1 for none. It rounds up a fraction, after a comma or
// a point.
func ParseNumber(value []byte) int64 {
	text := strings.Replace(string(bytes.TrimSpace(value)), ",", ".", 1)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return max(n, -1)
	}
	whole, fraction, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 62)
	if err != nil || n < 0 || strings.Trim(fraction, "0123456789") != "" {
		return -1
	}
	if strings.Trim(fraction, "0") != "" {
		n++
	}
	return n
}

// ParseBool reads a boolean: True, true, 1.
func ParseBool(value []byte) bool {
	text := string(bytes.TrimSpace(value))
	return text == "1" || strings.EqualFold(text, "true")
}
