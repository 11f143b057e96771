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

// SOAPError is a request that is not valid SOAP of its declared version.
type SOAPError struct {
	// Code is Client, VersionMismatch or MustUnderstand: the fault code of
	// SOAP 1.1, without a prefix.
	Code  string
	Words string
}

func (e *SOAPError) Error() string { return e.Words }

func soapError(words string) error { return &SOAPError{"Client", words} }

// SOAPCall is a SOAP request that is read up to the element that names the operation. The
// operation decides what to do with the rest.
type SOAPCall struct {
	Operation string // local name of the element in the body
	s         *xmlscan.Scanner
}

// maxRequestTag is the most bytes of a tag of a request, and of the names of its open
// elements together. It is low because the sender is not authenticated yet.
const maxRequestTag = 64 << 10

// CharsetError is a request that is neither in UTF-8 nor in UTF-16, the character sets that
// every XML parser accepts.
type CharsetError struct{ Charset string }

func (e *CharsetError) Error() string { return "the request is in the character set " + e.Charset }

// ReadSOAP reads the beginning of a request of a version. The error is a *SOAPError, a
// *CharsetError, or the error of r.
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

// child reads to the next child of the element at a depth.
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

// header skips an element before the body. It refuses one that must be understood.
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

// Form returns a reader of the parameters as the body of a form. Those of the given names
// that are absent are empty in it: an absent parameter is a null in SOAP. Its errors are
// as those of ReadSOAP.
func (c *SOAPCall) Form(names []string) io.Reader {
	return &soapForm{s: c.s, depth: c.s.Depth(), absent: append([]string{}, names...)}
}

// soapForm holds one piece of text at a time.
type soapForm struct {
	s      *xmlscan.Scanner
	depth  int      // of the element that names the operation
	over   bool     // that element has ended
	absent []string // parameters that have not occurred yet
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

// step reads one token. It reads the document to its end, because a request that is cut
// off must not be carried out.
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
		f.piece = appendEscaped(f.piece, string(f.s.Text), &unreserved)
	case depth > f.depth+1:
		return soapError("<" + xmlscan.Brief(f.s.Name) + "> in a parameter, which is text")
	}
	return nil
}

func (f *soapForm) name(name string) {
	f.piece = append(appendEscaped(append(f.piece, '&'), name, &unreserved), '=')
	kept := f.absent[:0]
	for _, n := range f.absent {
		if !strings.EqualFold(n, name) {
			kept = append(kept, n)
		}
	}
	f.absent = kept
}

// requestError turns the scanner's errors, which speak of an answer, into errors of a
// request. It returns errors of reading unchanged.
func requestError(err error) error {
	if xmlscan.Refused(err) {
		return soapError(strings.Replace(err.Error(), "the answer", "the request", 1))
	}
	return err
}
