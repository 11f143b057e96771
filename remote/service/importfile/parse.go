package importfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"

	"golang.org/x/net/html/charset"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// Parse reads an import file. A fault in the file is an *Error; other errors are those of r.
func Parse(r io.Reader) (*File, error) {
	source := &source{r: r}
	p := &parser{d: xml.NewDecoder(source), file: &File{}}
	p.d.CharsetReader = charset.NewReaderLabel
	err := p.document()
	switch {
	case source.err != nil:
		return nil, source.err
	case err != nil:
		return nil, p.located(err)
	}
	return p.file, nil
}

// source remembers read errors, to distinguish them from faults in the file.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// parser reads one element after another into a File and stops at the first fault. It does not
// recurse: categories may nest deeper than the stack allows.
type parser struct {
	d     *xml.Decoder
	file  *File
	open  []int // open elements: the category's index in file.Nodes, -1 for import
	ended bool  // the root element is closed
}

func (p *parser) document() error {
	for {
		t, err := p.d.Token()
		if errors.Is(err, io.EOF) && p.ended {
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
			if text := bytes.TrimSpace(t); len(text) > 0 {
				return fmt.Errorf("text where only elements belong: %.40q", text)
			}
		case xml.StartElement:
			if err := p.element(t); err != nil {
				return err
			}
		case xml.EndElement:
			p.open = p.open[:len(p.open)-1]
			p.ended = len(p.open) == 0
		}
	}
}

// element reads a child of the root or of a category.
func (p *parser) element(start xml.StartElement) error {
	switch name := start.Name.Local; {
	case p.ended:
		return errors.New("a second document after the first")
	case len(p.open) == 0 && name == "import":
		p.open = append(p.open, -1)
		return knownAttrs(start)
	case len(p.open) == 0:
		return fmt.Errorf("the file begins with the element %s, not with import", name)
	case name == "category":
		return p.category(start)
	case name == "paper":
		return p.paper(start)
	case name == "fields" && len(p.open) == 1:
		return p.fields(start)
	case name == "settings" && len(p.open) > 1:
		return p.settings(start)
	default:
		return fmt.Errorf("element %s is not allowed here", name)
	}
}

// knownAttrs rejects attributes that are not among the names.
func knownAttrs(start xml.StartElement, names ...string) error {
	for _, a := range start.Attr {
		if !isNamespace(a) && !slices.Contains(names, a.Name.Local) {
			return fmt.Errorf("attribute %s is not allowed here", a.Name.Local)
		}
	}
	return nil
}

func (p *parser) category(start xml.StartElement) error {
	if err := knownAttrs(start, "id", "url", "name"); err != nil {
		return err
	}
	var at place
	for _, a := range start.Attr {
		switch a.Name.Local {
		case "id":
			at.ID = a.Value
		case "url":
			at.URL = a.Value
		case "name":
			at.Name = a.Value
		}
	}
	line, _ := p.d.InputPos()
	n, err := at.node(line, remote.CategoryNode)
	p.open = append(p.open, len(p.file.Nodes))
	p.file.Nodes = append(p.file.Nodes, n)
	return err
}

func (p *parser) settings(start xml.StartElement) error {
	var s at[named]
	if err := p.d.DecodeElement(&s, &start); err != nil {
		return err
	}
	n := &p.file.Nodes[p.open[len(p.open)-1]]
	n.Settings = append(n.Settings, settings([]at[named]{s})...)
	return nil
}

func (p *parser) fields(start xml.StartElement) error {
	var list at[definitions]
	if err := p.d.DecodeElement(&list, &start); err != nil {
		return err
	}
	for _, f := range list.v.Fields {
		p.file.Fields = append(p.file.Fields, Field{f.line, store.Field{Name: f.v.Name, Type: f.v.Type}})
	}
	return nil
}

func (p *parser) paper(start xml.StartElement) error {
	var read at[paper]
	if err := p.d.DecodeElement(&read, &start); err != nil {
		return err
	}
	e := &read.v
	n, err := e.node(read.line, remote.PaperNode)
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

// located adds the current line to an error that has none.
func (p *parser) located(err error) error {
	var own *Error
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &own):
		return err
	case errors.As(err, &syntax):
		return Errorf(syntax.Line, "not well-formed XML: %s", syntax.Msg)
	}
	line, _ := p.d.InputPos()
	return Errorf(line, "%v", err)
}

func (l *place) node(line int, kind remote.NodeKind) (Node, error) {
	n := Node{Line: line, Kind: kind, URL: l.URL, Name: l.Name}
	if n.URL != "" {
		return n, nil
	}
	id, ok := rules.ID(l.ID)
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
