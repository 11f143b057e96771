package xmlscan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Bounds of what the scanner accepts; a document past them is an attack or no
// answer of the service.
const (
	maxDepth      = 4096    // open elements: deeper than any path a mount could show
	maxTag        = 1 << 20 // bytes of one tag
	maxAttributes = 256
	maxEntity     = 12 // bytes of a reference, & and ; included
	firstBuffer   = 4 << 10
	scanBuffer    = 64 << 10
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

// The scanner's errors that are not about well-formedness. They speak of an
// answer, which is what the scanner reads in most places.
var (
	ErrEmpty     = errors.New("the answer is empty")
	ErrTruncated = errors.New("the answer ends in the middle of the document")
	errDepth     = fmt.Errorf("the answer nests more than %d elements", maxDepth)
	errTag       = errors.New("the answer has too large a tag, or too many open elements")
	errDTD       = errors.New("the answer carries a document type declaration, which is refused")
)

// SyntaxError tells where a document is not well-formed.
type SyntaxError struct {
	offset int64
	words  string
}

// Refused reports whether an error of Next is about the document, and not one
// of its reader.
func Refused(err error) bool {
	var syntax *SyntaxError
	switch err {
	case ErrEmpty, ErrTruncated, errDepth, errTag, errDTD:
		return true
	}
	return errors.As(err, &syntax)
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("the answer is not well-formed XML: %s (byte %d)", e.words, e.offset)
}

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

// Next reads up to the next token. After an error it must not be called again.
func (s *Scanner) Next() (Token, error) {
	if s.pendingEnd {
		s.pendingEnd = false
		s.pop()
		return End, nil
	}
	for {
		if s.inCDATA {
			return s.cdataPiece()
		}
		if s.pos == len(s.buf) {
			if err := s.more(1); err != nil {
				return s.atEnd(err)
			}
		}
		if s.buf[s.pos] != '<' {
			if found, err := s.textPiece(); err != nil || found {
				return Text, err
			}
			continue
		}
		if tok, err := s.markup(); err != nil || tok != 0 {
			return tok, err
		}
	}
}

// atEnd decides what the end of the input means.
func (s *Scanner) atEnd(err error) (Token, error) {
	switch {
	case err != io.EOF:
		return 0, err
	case !s.rooted && !s.begun:
		return 0, ErrEmpty
	case !s.rooted || len(s.marks) > 0:
		return 0, ErrTruncated
	}
	return EOF, nil
}

// markup reads what begins with <. It returns 0 for what is skipped: comments,
// processing instructions, the begin of a CDATA section.
func (s *Scanner) markup() (Token, error) {
	if err := s.need(2); err != nil {
		return 0, err
	}
	switch s.buf[s.pos+1] {
	case '/':
		return s.endTag()
	case '?':
		return 0, s.instruction()
	case '!':
		return 0, s.declaration()
	}
	return s.startTag()
}

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

// whole runs parse on the input from pos on until the tag is there as a whole.
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
			// The input ended, but not without another piece of the tag.
		}
	}
}

func (s *Scanner) mostTag() int {
	if s.MaxTag > 0 {
		return s.MaxTag
	}
	return maxTag
}

// need has at least n bytes from pos on in the buffer; where the input ends
// before, it is ErrTruncated, with whatever there was in the buffer.
func (s *Scanner) need(n int) error {
	err := s.more(n)
	if err == io.EOF {
		return ErrTruncated
	}
	return err
}

// more is need with the reader's own error.
func (s *Scanner) more(n int) error {
	for idle := 0; len(s.buf)-s.pos < n; {
		if s.err != nil {
			return s.err
		}
		s.makeRoom()
		got, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+got]
		s.err = err
		if idle++; got > 0 {
			idle = 0
		} else if idle == 100 {
			s.err = io.ErrNoProgress
		}
	}
	return nil
}

// makeRoom moves what is not read yet to the front of the buffer. One that is
// full is doubled, and the first one, which most answers do not fill, replaced.
func (s *Scanner) makeRoom() {
	if s.capturing {
		s.captured = append(s.captured, s.buf[s.captureAt:s.pos]...)
		s.captureAt = 0
	}
	rest := s.buf[s.pos:]
	s.base += int64(s.pos)
	if size := cap(s.buf); len(rest) == size || size < scanBuffer && len(s.buf) == size {
		s.buf = append(make([]byte, 0, max(2*size, scanBuffer)), rest...)
	} else {
		s.buf = s.buf[:copy(s.buf, rest)]
	}
	s.pos, s.tokenAt = 0, 0
}

func (s *Scanner) fault(words string) error {
	return &SyntaxError{offset: s.base + int64(s.pos), words: words}
}

// Capture keeps the source text from the current start tag on, until
// CaptureEnd returns it.
func (s *Scanner) Capture() {
	s.capturing, s.captureAt = true, s.tokenAt
	s.captured = nil
}

// CaptureOffset is where the current tag begins in what is captured.
func (s *Scanner) CaptureOffset() int { return len(s.captured) + s.tokenAt - s.captureAt }

// CapturePosition is how much is captured up to the end of the current tag.
func (s *Scanner) CapturePosition() int { return len(s.captured) + s.pos - s.captureAt }

// CaptureEnd is the source text from the tag at Capture to the current one,
// this included.
func (s *Scanner) CaptureEnd() []byte {
	s.captured = append(s.captured, s.buf[s.captureAt:s.pos]...)
	s.capturing = false
	return s.captured
}

// Brief bounds a name that goes into an error text.
func Brief(name []byte) string {
	const most = 40
	if len(name) <= most {
		return string(name)
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return string(name[:cut]) + "…"
}
