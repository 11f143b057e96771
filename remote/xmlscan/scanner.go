package xmlscan

import (
	"bytes"
	"io"
)

// Token is the kind of token that Scanner.Next has read.
type Token uint8

// The tokens.
const (
	Start Token = iota + 1 // start tag; an End follows that of an empty element
	End
	Text // a piece of character data, never all of a long run
	EOF  // end of a well-formed document
)

// Scanner is a pull parser for the service's XML: UTF-8, no document type, no entities
// except the five of XML and character references. It checks well-formedness as it goes,
// and holds one tag or one piece of text at a time.
//
// Name, Attrs and Text are valid until the next call of Next.
type Scanner struct {
	Lenient bool // read characters that XML cannot carry as U+FFFD
	MaxTag  int  // bytes of one tag, and of the names of all open elements; 0 = maxTag, and any

	Name     []byte // of the current tag
	Attrs    []Attr // of the current start tag
	Text     []byte // of the current piece of text
	CDATA    bool   // Text is from a CDATA section
	Replaced bool   // the current tag, or text after it, had characters that XML cannot carry

	r    io.Reader
	buf  []byte
	pos  int   // next byte to read
	base int64 // bytes of the document before buf[0]
	err  error // of r; io.EOF at its end

	open  []byte // names of the open elements, one after the other
	marks []int  // start of each name in open

	tokenAt int    // start in buf of the last tag that Next returned
	scratch []byte // attribute values with references resolved
	chars   []byte

	inCDATA    bool
	pendingEnd bool // the last start tag was that of an empty element
	begun      bool // something was read: no declaration may follow
	rooted     bool // the root element has been seen

	capturing bool
	captured  []byte
	captureAt int // start in buf of the part that is not in captured yet
}

// Attr is an attribute; its references are resolved.
type Attr struct{ Name, Value []byte }

// New returns a scanner of the bytes of r.
func New(r io.Reader) *Scanner {
	return &Scanner{r: r, buf: make([]byte, 0, firstBuffer)}
}

// NewBytes returns a scanner that scans b in place.
func NewBytes(b []byte) *Scanner {
	return &Scanner{buf: b[:len(b):len(b)], err: io.EOF}
}

// Depth returns the number of open elements, including the one just started.
func (s *Scanner) Depth() int { return len(s.marks) }

// Local returns the name of the current tag without its prefix.
func (s *Scanner) Local() string {
	return string(s.Name[bytes.IndexByte(s.Name, ':')+1:])
}

// Is reports whether the current tag has a name, with any prefix.
func (s *Scanner) Is(local string) bool {
	return string(s.Name[bytes.IndexByte(s.Name, ':')+1:]) == local
}

// Attr returns the value of an attribute of the current start tag; nil if it is absent.
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
