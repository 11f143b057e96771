package remote

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// maxScalar bounds a code, an id, a token, a message; maxText a text leaf.
const (
	maxScalar = 64 << 10
	maxText   = 64 << 20
)

// brokenError is an answer that is XML but not what the contract describes.
type brokenError struct{ words string }

func (e *brokenError) Error() string { return e.words }

func broken(format string, args ...any) error {
	return &brokenError{fmt.Sprintf(format, args...)}
}

// skip reads to the end of the current element.
func (s *scanner) skip() error {
	for depth := s.depth(); s.depth() >= depth; {
		if _, err := s.next(); err != nil {
			return err
		}
	}
	return nil
}

// leaf collects the character data below an element. If that is white space,
// CDATA and white space, text leaves the outer white space out, as the
// padded form of an answer has it (contract, 2.2).
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
func (s *scanner) readLeaf(most int) (*leaf, error) {
	var l leaf
	name := s.local()
	for depth := s.depth(); s.depth() >= depth; {
		tok, err := s.next()
		if err != nil {
			return nil, err
		}
		if tok != tokenText {
			continue
		}
		if len(l.data)+len(s.text) > most {
			return nil, broken("the element <%s> is longer than %d bytes", brief([]byte(name)), most)
		}
		l.add(s.text, s.cdata)
	}
	return &l, nil
}

// scalar reads the current element to its end; white space around does not
// count.
func (s *scanner) scalar() (string, error) {
	l, err := s.readLeaf(maxScalar)
	if err != nil {
		return "", err
	}
	return string(bytes.TrimSpace(l.data)), nil
}

// textLeaf reads the current element to its end and keeps its white space.
func (s *scanner) textLeaf() (string, error) {
	l, err := s.readLeaf(maxText)
	if err != nil {
		return "", err
	}
	return l.text(), nil
}

// attrText gives an attribute as text, empty where it is absent.
func (s *scanner) attrText(name string) string { return string(s.attr(name)) }

// attrID gives an attribute that must be a positive id.
func (s *scanner) attrID(name string) (int64, error) {
	value := s.attr(name)
	if value == nil {
		return 0, broken("an element <%s> without the attribute %q", brief(s.name), name)
	}
	return parseID(value)
}

// parseID reads an id: decimal, positive. The contract says 32 bits; more is
// taken, because a client need not care.
func parseID(value []byte) (int64, error) {
	value = bytes.TrimSpace(value)
	var id int64
	for _, c := range value {
		if c < '0' || c > '9' || len(value) > 18 {
			return 0, broken("an id that is not a number: %q", brief(value))
		}
		id = id*10 + int64(c-'0')
	}
	if id == 0 {
		return 0, broken("an id that is not positive: %q", brief(value))
	}
	return id, nil
}

// number reads a whole number, or -1. A fraction, after a comma or a point,
// is rounded up.
func number(value []byte) int64 {
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

// truth reads a boolean: True, true, 1.
func truth(value []byte) bool {
	text := string(bytes.TrimSpace(value))
	return text == "1" || strings.EqualFold(text, "true")
}
