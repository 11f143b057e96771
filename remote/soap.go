package remote

import (
	"bytes"
	"io"
	"strings"

	"paperfs/remote/xmlscan"
)

// SOAPVersion is the namespace of a SOAP envelope.
type SOAPVersion string

// The two versions.
const (
	SOAP11 SOAPVersion = "http://schemas.xmlsoap.org/soap/envelope/"
	SOAP12 SOAPVersion = "http://www.w3.org/2003/05/soap-envelope"
)

// SOAPError is a request that is no SOAP of the version that it came as.
type SOAPError struct {
	// Code is Client, VersionMismatch or MustUnderstand: the fault code of
	// SOAP 1.1, without a prefix.
	Code  string
	Words string
}

func (e *SOAPError) Error() string { return e.Words }

func soapError(words string) error { return &SOAPError{"Client", words} }

// SOAPCall is a SOAP request. It is read up to the element that names the
// operation, so that the operation can say what becomes of the rest.
type SOAPCall struct {
	Operation string // local name of the element in the body
	s         *xmlscan.Scanner
}

// maxRequestTag is how many bytes a tag of a request has at most, and the names
// of its open elements together: it is not known yet whose request it is.
const maxRequestTag = 64 << 10

// CharsetError is a request that is neither in UTF-8 nor in UTF-16, which are
// those that every reader of XML takes.
type CharsetError struct{ Charset string }

func (e *CharsetError) Error() string { return "the request is in the character set " + e.Charset }

// ReadSOAP reads the begin of a request of a version. The error is a
// *SOAPError, a *CharsetError, or that of r.
func ReadSOAP(r io.Reader, version SOAPVersion, contentType string) (*SOAPCall, error) {
	text, label := xmlscan.Label(r, contentType)
	switch label {
	case "utf-8", "utf-16le", "utf-16be":
	default:
		return nil, &CharsetError{label}
	}
	text, err := xmlscan.DecodeLabelled(text, label)
	if err != nil {
		return nil, &CharsetError{label}
	}
	c := &SOAPCall{s: xmlscan.New(text)}
	c.s.MaxTag = maxRequestTag
	if err := c.begin(version); err != nil {
		return nil, requestError(err)
	}
	return c, nil
}

func (c *SOAPCall) begin(version SOAPVersion) error {
	if _, err := c.s.Next(); err != nil {
		return err
	}
	if !c.s.Is("Envelope") {
		return soapError("the root of the request is <" + xmlscan.Brief(c.s.Name) + ">, not <Envelope>")
	}
	if c.s.Namespace() != string(version) {
		return &SOAPError{"VersionMismatch", "the envelope is not of the namespace " + string(version)}
	}
	for {
		if err := c.child(1, "no <Body> in the envelope"); err != nil {
			return err
		}
		if c.s.Is("Body") {
			break
		}
		if err := c.header(); err != nil {
			return err
		}
	}
	if err := c.child(2, "nothing in the <Body>"); err != nil {
		return err
	}
	c.Operation = c.s.Local()
	return nil
}

// child reads on to the next element in the one at a depth.
func (c *SOAPCall) child(depth int, missing string) error {
	for {
		tok, err := c.s.Next()
		switch {
		case err != nil:
			return err
		case tok == xmlscan.Start && c.s.Depth() == depth+1:
			return nil
		case c.s.Depth() < depth:
			return soapError(missing)
		}
	}
}

// header reads past an element before the body. What has to be understood of
// it is not.
func (c *SOAPCall) header() error {
	return c.s.EachChild(func() error {
		for _, a := range c.s.Attrs {
			if !bytes.HasSuffix(a.Name, []byte(":mustUnderstand")) {
				continue
			}
			if v := string(a.Value); v == "1" || v == "true" {
				return &SOAPError{"MustUnderstand", "the header <" + xmlscan.Brief(c.s.Name) + "> is not understood here"}
			}
		}
		return nil
	})
}

// Form returns the parameters as the body of a form, up to the end of the
// request, and those of the given names that are absent as empty: an absent
// parameter is a null in SOAP. Its errors are as those of ReadSOAP.
func (c *SOAPCall) Form(names []string) io.Reader {
	return &soapForm{s: c.s, depth: c.s.Depth(), absent: append([]string{}, names...)}
}

// soapForm holds one piece of text at a time.
type soapForm struct {
	s      *xmlscan.Scanner
	depth  int      // of the element that names the operation
	over   bool     // that element has ended
	absent []string // parameters that have not come
	rest   []byte   // of piece
	piece  []byte
	err    error
}

func (f *soapForm) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		f.piece = f.piece[:0]
		if err := f.step(); err != nil {
			f.err = requestError(err)
		}
		f.rest = f.piece
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// step takes one token. The document is read to its end, because one that is
// cut off is no call.
func (f *soapForm) step() error {
	tok, err := f.s.Next()
	depth := f.s.Depth()
	f.over = f.over || depth < f.depth
	switch {
	case err != nil:
		return err
	case tok == xmlscan.EOF:
		for _, name := range f.absent {
			f.piece = appendPair(append(f.piece, '&'), name, "")
		}
		return io.EOF
	case f.over:
	case depth == f.depth+1 && tok == xmlscan.Start:
		f.name(f.s.Local())
	case depth == f.depth+1 && tok == xmlscan.Text:
		f.piece = appendEscaped(f.piece, string(f.s.Text))
	case depth > f.depth+1:
		return soapError("<" + xmlscan.Brief(f.s.Name) + "> in a parameter, which is text")
	}
	return nil
}

func (f *soapForm) name(name string) {
	f.piece = append(appendEscaped(append(f.piece, '&'), name), '=')
	kept := f.absent[:0]
	for _, n := range f.absent {
		if !strings.EqualFold(n, name) {
			kept = append(kept, n)
		}
	}
	f.absent = kept
}

// requestError makes the scanner's errors, which speak of an answer, those of
// a request. Errors of reading stay.
func requestError(err error) error {
	if xmlscan.Refused(err) {
		return soapError(strings.Replace(err.Error(), "the answer", "the request", 1))
	}
	return err
}
