package importfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"

	"golang.org/x/net/html/charset"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// Parse reads an import file. What is wrong in it comes back as an *Error;
// other errors are those of r.
func Parse(r io.Reader) (*File, error) {
	d := xml.NewDecoder(r)
	d.CharsetReader = charset.NewReaderLabel
	var doc document
	if err := decode(d, &doc); err != nil {
		return nil, located(d, err)
	}
	p := &parser{}
	if err := p.document(&doc); err != nil {
		return nil, err
	}
	return &p.file, nil
}

// decode reads the document into doc; nothing but comments and the declaration
// may stand around it.
func decode(d *xml.Decoder, doc *document) error {
	seen := false
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) && seen {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return errors.New("there is no element import in the file")
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.Directive:
			return errors.New("document types are refused")
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return errors.New("text outside of the element import")
			}
		case xml.StartElement:
			if seen {
				return errors.New("a second document after the first")
			}
			seen = true
			if err := d.DecodeElement(doc, &t); err != nil {
				return err
			}
		}
	}
}

// located gives an error of the XML decoder the line it was at.
func located(d *xml.Decoder, err error) error {
	var own *Error
	var syntax *xml.SyntaxError
	var shape xml.UnmarshalError
	line, _ := d.InputPos()
	switch {
	case errors.As(err, &own):
		return err
	case errors.As(err, &syntax):
		return Errorf(syntax.Line, "not well-formed XML: %s", syntax.Msg)
	case errors.As(err, &shape), errors.Unwrap(err) == nil:
		return Errorf(line, "%v", err)
	}
	return err
}

// parser turns the elements into a File. Its methods return at the first
// fault.
type parser struct{ file File }

func (p *parser) document(d *document) error {
	if err := d.check(1); err != nil {
		return err
	}
	for _, fields := range d.Fields {
		if err := fields.v.check(fields.line); err != nil {
			return err
		}
		for _, f := range fields.v.Fields {
			if err := f.v.check(f.line); err != nil {
				return err
			}
			p.file.Fields = append(p.file.Fields, Field{f.line, store.Field{Name: f.v.Name, Type: f.v.Type}})
		}
	}
	return p.nodes(d.Categories, d.Papers)
}

func (p *parser) nodes(categories []at[category], papers []at[paper]) error {
	for _, c := range categories {
		if err := p.category(c.line, &c.v); err != nil {
			return err
		}
	}
	for _, paper := range papers {
		if err := p.paper(paper.line, &paper.v); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) category(line int, c *category) error {
	if err := c.check(line); err != nil {
		return err
	}
	n, err := c.node(line, remote.CategoryNode)
	if err != nil {
		return err
	}
	n.Settings = settings(c.Settings)
	p.file.Nodes = append(p.file.Nodes, n)
	return p.nodes(c.Categories, c.Papers)
}

func (p *parser) paper(line int, e *paper) error {
	if err := e.check(line); err != nil {
		return err
	}
	n, err := e.node(line, remote.PaperNode)
	if err != nil {
		return err
	}
	n.Settings = settings(e.Settings)
	for _, read := range []func(*Node, *paper) error{readPeriod, readProcessing, readFields, readPages, readLinks, readOrders, readJobs} {
		if err := read(&n, e); err != nil {
			return err
		}
	}
	p.file.Nodes = append(p.file.Nodes, n)
	return nil
}

func (l *place) node(line int, kind remote.NodeKind) (Node, error) {
	n := Node{Line: line, Kind: kind, URL: l.URL, Name: l.Name}
	if n.URL != "" {
		return n, nil
	}
	id, ok := value.ID(l.ID)
	if !ok {
		return n, Errorf(line, "there is neither a url nor an id")
	}
	n.ID = id
	return n, nil
}

func settings(from []at[named]) (all []Value) {
	for _, s := range from {
		for _, e := range s.v.Elements {
			all = append(all, Value{Line: e.line, Name: e.v.XMLName.Local, Value: e.v.Value})
		}
	}
	return all
}
