package xmlscan

import (
	"bytes"
	"io"
)

// Token is what Scanner.Next found.
type Token uint8

// The tokens.
const (
	Start Token = iota + 1 // start tag; an End follows that of an empty element
	End
	Text // a piece of character data, never all of a long run
	EOF  // the document is over, and well-formed
)

// Scanner is a pull parser for the XML that the service sends: UTF-8, no
// document type, no entities but the five and character references. It
// checks well-formedness as it goes and holds one tag or one piece of text at
// a time, so that memory does not grow with the document. encoding/xml returns
// a text as one token, which for a wrapped tree is all of it.
//
// Name, Attrs and Text are valid until the next call of Next.
type Scanner struct {
	Lenient bool // what XML cannot carry is read as U+FFFD
	MaxTag  int  // bytes of one tag, and of the names of all open elements; 0 = maxTag, and any

	Name     []byte // of the current tag
	Attrs    []Attr // of the current start tag
	Text     []byte // of the current piece of text
	CDATA    bool   // it comes from a CDATA section
	Replaced bool   // what XML cannot carry was in the current tag, or in text after it

	r    io.Reader
	buf  []byte
	pos  int   // next byte to look at
	base int64 // bytes of the document before buf[0]
	err  error // of r; io.EOF at its end

	open  []byte // names of the open elements, one after the other
	marks []int  // where each of them begins in open

	tokenAt int    // where the tag that Next gave last begins in buf
	scratch []byte // attribute values with references resolved
	chars   []byte

	inCDATA    bool
	pendingEnd bool // the last start tag was that of an empty element
	begun      bool // something was read: a declaration may no longer come
	rooted     bool // the root element has been seen

	capturing bool
	captured  []byte
	captureAt int // where in buf the part begins that is not in captured yet
}

// Attr is an attribute; its references are resolved.
type Attr struct{ Name, Value []byte }

// New makes a scanner of what r reads.
func New(r io.Reader) *Scanner {
	return &Scanner{r: r, buf: make([]byte, 0, firstBuffer)}
}

// NewBytes makes a scanner that scans b in place.
func NewBytes(b []byte) *Scanner {
	return &Scanner{buf: b[:len(b):len(b)], err: io.EOF}
}

// Depth is the number of open elements, the one just started included.
func (s *Scanner) Depth() int { return len(s.marks) }

// Local is the name of the current tag without its prefix.
func (s *Scanner) Local() string {
	return string(s.Name[bytes.IndexByte(s.Name, ':')+1:])
}

// Is reports whether the current tag has a name, whatever its prefix.
func (s *Scanner) Is(local string) bool {
	return string(s.Name[bytes.IndexByte(s.Name, ':')+1:]) == local
}

// Attr is the value of an attribute of the current start tag, nil where it
// is absent.
func (s *Scanner) Attr(name string) []byte {
	for i := range s.Attrs {
		if string(s.Attrs[i].Name) == name {
			return s.Attrs[i].Value
		}
	}
	return nil
}

func (s *Scanner) fault(words string) error {
	return &SyntaxError{offset: s.base + int64(s.pos), words: words}
}
