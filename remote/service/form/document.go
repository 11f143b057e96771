package form

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ParseDocument decodes a document that arrived in a parameter. It refuses a document type, and
// anything after the root element.
func ParseDocument(s string, into any) error {
	d := newDecoder(strings.NewReader(s))
	start, err := rootElement(d)
	if err != nil {
		return err
	}
	if err := d.DecodeElement(into, &start); err != nil {
		return err
	}
	for {
		switch t, err := d.Token(); t := t.(type) {
		case nil:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		case xml.CharData:
			if strings.TrimSpace(string(t)) != "" {
				return errors.New("text after the document")
			}
		case xml.StartElement:
			return fmt.Errorf("a second document, <%s>", t.Name.Local)
		}
	}
}

// newDecoder reads UTF-8, whatever the document's declaration says: the transport
// decoded the text already.
func newDecoder(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(r)
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return d
}

// rootElement reads up to the start tag of the root.
func rootElement(d *xml.Decoder) (xml.StartElement, error) {
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			err = errors.New("it has no element")
		}
		if err != nil {
			return xml.StartElement{}, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			return t, nil
		case xml.Directive:
			return xml.StartElement{}, errors.New("document types are refused")
		case xml.CharData:
			if strings.TrimSpace(string(t)) != "" {
				return xml.StartElement{}, errors.New("text before the document")
			}
		}
	}
}
