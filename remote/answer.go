package remote

import (
	"bytes"
	"io"
	"strings"

	"paperfs/remote/xmlscan"
)

// answer is the result envelope of a call (contract, 2.1).
type answer struct {
	code      Code
	message   string
	explained string // text in the data of a failure
	full      Full   // an element in the data of a failure
}

// words returns the service's own words for a failure.
func (a answer) words() string {
	if a.message != "" && a.explained != "" {
		return a.message + " " + a.explained
	}
	return a.message + a.explained
}

// broken is an answer that is XML but not what the contract describes.
func broken(format string, args ...any) error { return xmlscan.Unexpected(format, args...) }

// maxCode is longer than any code.
const maxCode = 128

// maxWrapped is how many string elements may lie around a result document.
const maxWrapped = 2

// reading says how a call reads the data of an answer. It serves one attempt; only
// check stores the values that a method returns.
type reading struct {
	// data reads the data element to its end; the scanner is at its start tag. It is not
	// called if a failure code came first. Unless the call succeeds, its result is void.
	data func(s *xmlscan.Scanner) error
	// element is called instead, if data is nil, at each start tag below the data element.
	element func(s *xmlscan.Scanner) error
	// lenient makes the scanner accept characters that XML cannot carry.
	lenient bool
	// check is called after a SUCCESS and returns what is missing.
	check func() error
	// offers, if not nil, gets what the service offers with this answer, before anything is read of it.
	offers *Offers
	// unparsed makes a method accept answers that are not well-formed: it gets the
	// received bytes. See payload.go.
	unparsed func(b []byte)
}

// readAnswer reads an answer, in UTF-8, to its end. The document may be in an element
// <string>, escaped or not.
func readAnswer(r io.Reader, want reading) (answer, error) {
	s := xmlscan.New(r)
	s.Lenient = want.lenient
	a, err := readDocument(s, want, 0)
	if err != nil {
		return a, err
	}
	if a.code == "" {
		return a, broken("the answer has no code")
	}
	return a, nil
}

// readDocument reads a document from its beginning to its end.
func readDocument(s *xmlscan.Scanner, want reading, wrapped int) (answer, error) {
	if _, err := s.Next(); err != nil {
		return answer{}, err
	}
	var a answer
	var err error
	switch {
	case s.Is("result"):
		a, err = readResult(s, want)
	case s.Is("string") && wrapped < maxWrapped:
		a, err = readString(s, want, wrapped+1)
	default:
		return a, strangeRoot(s)
	}
	if err != nil {
		return a, err
	}
	// White space and comments may follow. This also detects a cut answer.
	_, err = s.Next()
	return a, err
}

func strangeRoot(s *xmlscan.Scanner) error {
	if strings.EqualFold(s.Local(), "html") {
		return broken("the answer is an HTML page")
	}
	return broken("the root of the answer is <%s>, not <result>", xmlscan.Brief(s.Name))
}

// readString reads a string element, which has a result element or the text of a document.
func readString(s *xmlscan.Scanner, want reading, wrapped int) (answer, error) {
	for {
		tok, err := s.Next()
		switch {
		case err != nil:
			return answer{}, err
		case tok == xmlscan.End:
			return answer{}, broken("the answer is an empty string element")
		case tok == xmlscan.Text:
			text := trimStart(s.Text)
			if len(text) == 0 {
				continue
			}
			inner := xmlscan.New(&innerText{s: s, rest: text})
			inner.Lenient = want.lenient
			a, err := readDocument(inner, want, wrapped)
			if err == xmlscan.ErrEmpty {
				err = broken("the answer is an empty string element")
			}
			return a, err
		case !s.Is("result"):
			return answer{}, broken("the answer's string element holds <%s>", xmlscan.Brief(s.Name))
		}
		a, err := readResult(s, want)
		if err != nil {
			return a, err
		}
		return a, s.Skip()
	}
}

func trimStart(text []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(bytes.TrimLeft(text, " \t\r\n"), xmlscan.BOM), " \t\r\n")
}

// innerText returns a reader of the character data of the current element.
type innerText struct {
	s    *xmlscan.Scanner
	rest []byte
	err  error
}

func (t *innerText) Read(p []byte) (int, error) {
	for len(t.rest) == 0 {
		if t.err != nil {
			return 0, t.err
		}
		switch tok, err := t.s.Next(); {
		case err != nil:
			t.err = err
		case tok == xmlscan.Text:
			t.rest = t.s.Text
		case tok == xmlscan.End:
			t.err = io.EOF
		default:
			t.err = broken("the answer's string element holds text and <%s>", xmlscan.Brief(t.s.Name))
		}
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

// readResult reads the result element to its end. Its children are found by
// name; more may come with time (contract, 2.1).
func readResult(s *xmlscan.Scanner, want reading) (answer, error) {
	var a answer
	var held error // error of data that came before the code
	var seen, dataSeen bool
	for {
		tok, err := s.Next()
		switch {
		case err != nil:
			return a, err
		case tok == xmlscan.End:
			if a.code != Success {
				held = nil
			}
			return a, held
		case tok == xmlscan.Text:
			continue
		case s.Is("code"):
			if seen {
				return a, broken("the answer has two codes")
			}
			seen = true
			code, err := s.Scalar()
			if err != nil {
				return a, err
			}
			if len(code) > maxCode {
				return a, broken("the answer's code is %d bytes long", len(code))
			}
			a.code = Code(code)
		case s.Is("message"):
			if a.message, err = s.Scalar(); err != nil {
				return a, err
			}
		case s.Is("data") && !dataSeen:
			dataSeen = true
			if held, err = a.readData(s, want, seen); err != nil {
				return a, err
			}
		default:
			if err := s.Skip(); err != nil {
				return a, err
			}
		}
	}
}

// readData reads the data element to its end. It returns the first error of its content.
func (a *answer) readData(s *xmlscan.Scanner, want reading, coded bool) (held, err error) {
	depth := s.Depth()
	switch {
	case coded && a.code != Success:
		return nil, a.explanation(s)
	case want.data != nil:
		err = want.data(s)
	case want.element != nil:
		err = s.EachBelow(func() error { return want.element(s) })
	default:
		return nil, s.Skip()
	}
	if _, ok := err.(*xmlscan.UnexpectedError); ok && !coded {
		held, err = err, nil
	}
	for err == nil && s.Depth() >= depth {
		_, err = s.Next()
	}
	return held, err
}

// explanation reads the data of a failure: a text that may say more than the message, for
// example about an unknown checkout type, and what is full.
func (a *answer) explanation(s *xmlscan.Scanner) error {
	var text []byte
	for depth := s.Depth(); s.Depth() >= depth; {
		tok, err := s.Next()
		if err != nil {
			return err
		}
		switch {
		case tok == xmlscan.Text && len(text) < xmlscan.MaxScalar:
			text = append(text, s.Text...)
		case tok == xmlscan.Start && a.full == "":
			a.full = fullOf(s)
		}
	}
	a.explained = string(bytes.TrimSpace(text))
	return nil
}
