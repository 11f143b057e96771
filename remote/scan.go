package remote

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

// token is what scanner.next found.
type token uint8

const (
	tokenStart token = iota + 1 // start tag; an empty element gives a tokenEnd next
	tokenEnd
	tokenText // a piece of character data, never all of a long run
	tokenEOF  // the document is over, and well-formed
)

// The scanner's errors that are not about well-formedness.
var (
	errEmpty     = errors.New("the answer is empty")
	errTruncated = errors.New("the answer ends in the middle of the document")
	errDepth     = fmt.Errorf("the answer nests more than %d elements", maxDepth)
	errTag       = errors.New("the answer has too large a tag, or too many open elements")
	errDTD       = errors.New("the answer carries a document type declaration, which is refused")
)

// syntaxError tells where a document is not well-formed.
type syntaxError struct {
	offset int64
	words  string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("the answer is not well-formed XML: %s (byte %d)", e.words, e.offset)
}

// scanner is a pull parser for the XML that the service sends: UTF-8, no
// document type, no entities but the five and character references. It
// checks well-formedness as it goes and holds one tag or one piece of text at
// a time, so that memory does not grow with the document. encoding/xml gives
// a text as one token, which for a wrapped tree is all of it.
//
// name, attrs and text are valid until the next call of next.
type scanner struct {
	r    io.Reader
	buf  []byte
	pos  int   // next byte to look at
	base int64 // bytes of the document before buf[0]
	most int   // bytes of one tag, and of the names of all open elements; 0 = maxTag, and any
	err  error // of r; io.EOF at its end

	open  []byte // names of the open elements, one after the other
	marks []int  // where each of them begins in open

	tokenAt int // where the tag that next gave last begins in buf
	name    []byte
	attrs   []attr
	scratch []byte // attribute values with references resolved
	text    []byte
	cdata   bool // text comes from a CDATA section
	chars   []byte

	lenient  bool // what XML cannot carry is read as U+FFFD
	replaced bool // that happened in the current tag, or in text after it

	inCDATA    bool
	pendingEnd bool // the last start tag was that of an empty element
	begun      bool // something was read: a declaration may no longer come
	rooted     bool // the root element has been seen

	capturing bool
	captured  []byte
	captureAt int // where in buf the part begins that is not in captured yet
}

type attr struct{ name, value []byte }

func newScanner(r io.Reader) *scanner {
	return &scanner{r: r, buf: make([]byte, 0, firstBuffer)}
}

// newBytesScanner scans b in place.
func newBytesScanner(b []byte) *scanner {
	return &scanner{buf: b[:len(b):len(b)], err: io.EOF}
}

// depth is the number of open elements, the one just started included.
func (s *scanner) depth() int { return len(s.marks) }

// local is the name of the current tag without its prefix.
func (s *scanner) local() string {
	return string(s.name[bytes.IndexByte(s.name, ':')+1:])
}

func (s *scanner) is(local string) bool {
	return string(s.name[bytes.IndexByte(s.name, ':')+1:]) == local
}

// attr gives the value of an attribute of the current start tag, nil where it
// is absent.
func (s *scanner) attr(name string) []byte {
	for i := range s.attrs {
		if string(s.attrs[i].name) == name {
			return s.attrs[i].value
		}
	}
	return nil
}

// next reads up to the next token. After an error it must not be called again.
func (s *scanner) next() (token, error) {
	if s.pendingEnd {
		s.pendingEnd = false
		s.pop()
		return tokenEnd, nil
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
				return tokenText, err
			}
			continue
		}
		if tok, err := s.markup(); err != nil || tok != 0 {
			return tok, err
		}
	}
}

// atEnd decides what the end of the input means.
func (s *scanner) atEnd(err error) (token, error) {
	switch {
	case err != io.EOF:
		return 0, err
	case !s.rooted && !s.begun:
		return 0, errEmpty
	case !s.rooted || len(s.marks) > 0:
		return 0, errTruncated
	}
	return tokenEOF, nil
}

// markup reads what begins with <. It gives 0 for what is skipped: comments,
// processing instructions, the begin of a CDATA section.
func (s *scanner) markup() (token, error) {
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

func (s *scanner) startTag() (token, error) {
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
	if s.most > 0 && (n > s.most || len(s.open)+len(s.name) > s.most) {
		return 0, errTag
	}
	s.begun, s.rooted = true, true
	s.tokenAt = s.pos
	s.pos += n
	s.marks = append(s.marks, len(s.open))
	s.open = append(s.open, s.name...)
	s.pendingEnd = empty
	return tokenStart, nil
}

func (s *scanner) endTag() (token, error) {
	n, _, err := s.whole(s.parseEnd)
	if err != nil {
		return 0, err
	}
	if len(s.marks) == 0 {
		return 0, s.fault("an end tag without a start tag")
	}
	if top := s.open[s.marks[len(s.marks)-1]:]; !bytes.Equal(top, s.name) {
		return 0, s.fault(fmt.Sprintf("element <%s> is ended by </%s>", brief(top), brief(s.name)))
	}
	s.tokenAt = s.pos
	s.pos += n
	s.pop()
	return tokenEnd, nil
}

// pop closes the innermost element and makes its name the current one.
func (s *scanner) pop() {
	last := s.marks[len(s.marks)-1]
	s.marks = s.marks[:len(s.marks)-1]
	s.name = s.open[last:]
	s.open = s.open[:last]
	s.attrs = s.attrs[:0]
}

// whole runs parse on the input from pos on until the tag is there as a whole.
func (s *scanner) whole(parse func(data []byte) (n int, empty bool, err error)) (int, bool, error) {
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

func (s *scanner) mostTag() int {
	if s.most > 0 {
		return s.most
	}
	return maxTag
}

// need has at least n bytes from pos on in the buffer; where the input ends
// before, it is errTruncated, with whatever there was in the buffer.
func (s *scanner) need(n int) error {
	err := s.more(n)
	if err == io.EOF {
		return errTruncated
	}
	return err
}

// more is need with the reader's own error.
func (s *scanner) more(n int) error {
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
func (s *scanner) makeRoom() {
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

func (s *scanner) fault(words string) error {
	return &syntaxError{offset: s.base + int64(s.pos), words: words}
}

// capture keeps the source text from the current start tag on, until
// captureEnd gives it.
func (s *scanner) capture() {
	s.capturing, s.captureAt = true, s.tokenAt
	s.captured = nil
}

// captureOffset is where the current tag begins in what is captured.
func (s *scanner) captureOffset() int { return len(s.captured) + s.tokenAt - s.captureAt }

// capturePosition is how much is captured up to the end of the current tag.
func (s *scanner) capturePosition() int { return len(s.captured) + s.pos - s.captureAt }

func (s *scanner) captureEnd() []byte {
	s.captured = append(s.captured, s.buf[s.captureAt:s.pos]...)
	s.capturing = false
	return s.captured
}

// brief bounds a name that goes into an error text.
func brief(name []byte) string {
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
