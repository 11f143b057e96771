package answer

import (
	"io"
	"slices"
)

// JSONType is the media type of an answer as JSON.
const JSONType = "application/json"

// element is an open element of an answer as JSON. Its methods append what it has next.
type element struct {
	shape  *Shape // nil: text, unless it has members
	object bool   // its brace is open, and it has a member
	text   bool   // the quotes of its text are open
	list   bool   // the bracket of its list number at is open
	at     int    // the lists of the shape before that are done
}

var escapeJSON = newEscapes(`"`, `\"`, `\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// NewJSON returns a writer of the same answer as JSON. Attributes and children are members by their names, text is the
// member text if there are others. What shape calls repeated is a list, also if it is empty or has one entry; the
// lists of an element come in the order of the shape.
func NewJSON(w io.Writer, shape *Shape) *Writer {
	x := NewWriter(w, Tight)
	x.root = shape
	x.elements = []element{{shape: shape}}
	return x
}

func (x *Writer) inner() *element { return &x.elements[len(x.elements)-1] }

// openJSON begins an element.
func (x *Writer) openJSON(name string, attrs []Attr) {
	in := x.inner()
	m := in.shape.member(name)
	b := x.w.AvailableBuffer()
	if m.List {
		b = in.item(b, name)
	} else {
		b = in.member(b, name)
	}
	e := element{shape: m.Of}
	for _, at := range attrs {
		b = append(e.member(b, m.Of.named(at.name)), '"')
		b = append(escapeJSON.append(b, []byte(Carried(at.text))), '"')
	}
	x.elements = append(x.elements, e)
	_, _ = x.w.Write(b)
}

// textJSON writes text of the open element.
func (x *Writer) textJSON(text string) {
	b := x.w.AvailableBuffer()
	if e := x.inner(); !e.text {
		if e.object || e.shape != nil {
			b = e.member(b, "text")
		}
		b, e.text = append(b, '"'), true
	}
	_, _ = x.w.Write(escapeJSON.append(b, []byte(text)))
}

// closeJSON ends the open element.
func (x *Writer) closeJSON() {
	_, _ = x.w.Write(x.inner().end(x.w.AvailableBuffer()))
	x.elements = x.elements[:len(x.elements)-1]
}

// BeginLists begins data, unless it is begun, if something in it is repeated: lists are there also if they are empty.
func (x *Writer) BeginLists() {
	if x.root != nil && x.root.member("data").Of.hasLists() {
		x.begin()
	}
}

// EndJSON ends the answer.
func (x *Writer) EndJSON() {
	x.closeJSON()
	x.Raw("\n")
}

// member begins a member.
func (e *element) member(b []byte, name string) []byte {
	b = e.endList(b)
	begin := byte(',')
	if !e.object {
		begin = '{'
	}
	e.object = true
	return append(append(append(b, begin, '"'), name...), `":`...)
}

// item begins an entry of a list.
func (e *element) item(b []byte, name string) []byte {
	i := slices.Index(e.shape.lists, name)
	if e.list && e.at == i {
		return append(b, ",\n"...)
	}
	b = e.emptyLists(b, i)
	b = append(e.member(b, name), '[')
	e.list, e.at = true, i
	return b
}

// emptyLists ends the open list, and writes those before a number that have no entry.
func (e *element) emptyLists(b []byte, before int) []byte {
	for b = e.endList(b); e.at < before; e.at++ {
		b = append(e.member(b, e.shape.lists[e.at]), "[]"...)
	}
	return b
}

func (e *element) endList(b []byte) []byte {
	if e.list {
		e.list = false
		e.at++
		return append(b, ']')
	}
	return b
}

// end ends the element.
func (e *element) end(b []byte) []byte {
	if e.text {
		b = append(b, '"')
	}
	if e.shape != nil {
		b = e.emptyLists(b, len(e.shape.lists))
	}
	switch {
	case e.object:
		return append(b, '}')
	case e.shape != nil:
		return append(b, "{}"...)
	case e.text:
		return b
	}
	return append(b, `""`...)
}
