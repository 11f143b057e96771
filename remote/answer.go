package remote

import (
	"bytes"
	"io"
	"strings"
)

// answer is the result envelope of a call (contract, 2.1).
type answer struct {
	code      Code
	message   string
	explained string // text in the data of a failure
	full      Full   // an element in the data of a failure
}

// words is what the service says of a failure.
func (a answer) words() string {
	if a.message != "" && a.explained != "" {
		return a.message + " " + a.explained
	}
	return a.message + a.explained
}

// maxCode is longer than any code.
const maxCode = 128

// maxWrapped is how many string elements may lie around a result document.
const maxWrapped = 2

// readAnswer reads an answer, in the service's character set already decoded,
// to its end. A document may lie, escaped or not, in an element string.
func readAnswer(r io.Reader, want reading) (answer, error) {
	s := newScanner(r)
	s.lenient = want.lenient
	a, err := readDocument(s, want, 0)
	if err != nil {
		return a, err
	}
	if a.code == "" {
		return a, broken("the answer has no code")
	}
	return a, nil
}

// readDocument reads the document that s is at the begin of to its end.
func readDocument(s *scanner, want reading, wrapped int) (answer, error) {
	if _, err := s.next(); err != nil {
		return answer{}, err
	}
	var a answer
	var err error
	switch {
	case s.is("result"):
		a, err = readResult(s, want)
	case s.is("string") && wrapped < maxWrapped:
		a, err = readString(s, want, wrapped+1)
	default:
		return a, strangeRoot(s)
	}
	if err != nil {
		return a, err
	}
	// White space and comments may follow; a cut is found here.
	_, err = s.next()
	return a, err
}

func strangeRoot(s *scanner) error {
	if strings.EqualFold(s.local(), "html") {
		return broken("the answer is an HTML page")
	}
	return broken("the root of the answer is <%s>, not <result>", brief(s.name))
}

// readString reads a string element: a result element, or the text of a
// document of its own.
func readString(s *scanner, want reading, wrapped int) (answer, error) {
	for {
		tok, err := s.next()
		switch {
		case err != nil:
			return answer{}, err
		case tok == tokenEnd:
			return answer{}, broken("the answer is an empty string element")
		case tok == tokenText:
			text := trimStart(s.text)
			if len(text) == 0 {
				continue
			}
			inner := newScanner(&innerText{s: s, rest: text})
			inner.lenient = want.lenient
			a, err := readDocument(inner, want, wrapped)
			if err == errEmpty {
				err = broken("the answer is an empty string element")
			}
			return a, err
		case !s.is("result"):
			return answer{}, broken("the answer's string element holds <%s>", brief(s.name))
		}
		a, err := readResult(s, want)
		if err != nil {
			return a, err
		}
		return a, s.skip()
	}
}

func trimStart(text []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(bytes.TrimLeft(text, " \t\r\n"), bom), " \t\r\n")
}

// innerText gives the character data of the element that s stands in as a
// stream, up to its end tag.
type innerText struct {
	s    *scanner
	rest []byte
	err  error
}

func (t *innerText) Read(p []byte) (int, error) {
	for len(t.rest) == 0 {
		if t.err != nil {
			return 0, t.err
		}
		switch tok, err := t.s.next(); {
		case err != nil:
			t.err = err
		case tok == tokenText:
			t.rest = t.s.text
		case tok == tokenEnd:
			t.err = io.EOF
		default:
			t.err = broken("the answer's string element holds text and <%s>", brief(t.s.name))
		}
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

// readResult reads the result element to its end. Its children are found by
// name; more may come with time (contract, 2.1).
func readResult(s *scanner, want reading) (answer, error) {
	var a answer
	var held error // of data that came before the code
	var seen, dataSeen bool
	for {
		tok, err := s.next()
		switch {
		case err != nil:
			return a, err
		case tok == tokenEnd:
			if a.code != Success {
				held = nil
			}
			return a, held
		case tok == tokenText:
			continue
		case s.is("code"):
			if seen {
				return a, broken("the answer has two codes")
			}
			seen = true
			code, err := s.scalar()
			if err != nil {
				return a, err
			}
			if len(code) > maxCode {
				return a, broken("the answer's code is %d bytes long", len(code))
			}
			a.code = Code(code)
		case s.is("message"):
			if a.message, err = s.scalar(); err != nil {
				return a, err
			}
		case s.is("data") && !dataSeen:
			dataSeen = true
			if held, err = a.readData(s, want, seen); err != nil {
				return a, err
			}
		default:
			if err := s.skip(); err != nil {
				return a, err
			}
		}
	}
}

// readData reads data to its end. The first error is about what it holds.
func (a *answer) readData(s *scanner, want reading, coded bool) (held, err error) {
	depth := s.depth()
	switch {
	case coded && a.code != Success:
		return nil, a.explanation(s)
	case want.data == nil:
		return nil, s.skip()
	}
	err = want.data(s)
	if _, ok := err.(*brokenError); ok && !coded {
		held, err = err, nil
	}
	for err == nil && s.depth() >= depth {
		_, err = s.next()
	}
	return held, err
}

// explanation takes the text in the data of a failure, which may tell more than
// the message, as for an unknown checkout type, and what is full.
func (a *answer) explanation(s *scanner) error {
	var text []byte
	for depth := s.depth(); s.depth() >= depth; {
		tok, err := s.next()
		if err != nil {
			return err
		}
		switch {
		case tok == tokenText && len(text) < maxScalar:
			text = append(text, s.text...)
		case tok == tokenStart && a.full == "":
			a.full = s.fullOf()
		}
	}
	a.explained = string(bytes.TrimSpace(text))
	return nil
}

// eachChild calls f for each element that is a child of the current one, and
// reads on to the current one's end. f may leave its element unread.
func (s *scanner) eachChild(f func() error) error {
	depth := s.depth()
	for {
		tok, err := s.next()
		if err != nil {
			return err
		}
		if s.depth() < depth {
			return nil
		}
		if tok == tokenStart && s.depth() == depth+1 {
			if err := f(); err != nil {
				return err
			}
			if s.depth() < depth {
				return nil
			}
		}
	}
}

// eachBelow calls f for each start tag below the current element, at any
// depth, and reads on to the current one's end.
func (s *scanner) eachBelow(f func() error) error {
	for depth := s.depth(); s.depth() >= depth; {
		tok, err := s.next()
		if err != nil {
			return err
		}
		if tok == tokenStart {
			if err := f(); err != nil {
				return err
			}
		}
	}
	return nil
}
