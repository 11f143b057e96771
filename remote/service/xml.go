package service

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"paperfs/remote/service/value"
	"paperfs/remote/xmlscan"
)

// xmlWriter writes the children of an answer's data element. The first thing
// written brings the envelope's head, with SUCCESS, before it. Errors of the
// connection are kept until the end: a handler need not look at them.
type xmlWriter struct {
	w     *bufio.Writer
	style CDATAStyle
	head  func() // writes what stands before data; nil once written
	data  bool   // inside data
}

// attr is an attribute of an element.
type attr struct{ name, text string }

// a is a text attribute.
func a(name, text string) attr { return attr{name, text} }

// n is a numeric attribute.
func n(name string, number int64) attr { return attr{name, strconv.FormatInt(number, 10)} }

// trueFalse is a boolean attribute of structure kind: True or False.
func trueFalse(name string, v bool) attr {
	return attr{name, value.Structure(v)}
}

const answerBuffer = 32 << 10

// answerBuffers keeps buffers: for a small answer, one is most of what it costs.
var answerBuffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, answerBuffer) }}

func newXMLWriter(w io.Writer, style CDATAStyle) *xmlWriter {
	x := &xmlWriter{w: answerBuffers.Get().(*bufio.Writer), style: style}
	x.w.Reset(w)
	return x
}

// end gives the buffer back; x must not be used any more.
func (x *xmlWriter) end() {
	x.w.Reset(nil)
	answerBuffers.Put(x.w)
}

// reset forgets what was written and not yet sent.
func (x *xmlWriter) reset(w io.Writer) {
	x.w.Reset(w)
	x.data = false
}

// begun reports whether anything was written to data; where not, there is no
// data element.
func (x *xmlWriter) begun() bool {
	x.writeHead()
	return x.data
}

func (x *xmlWriter) writeHead() {
	if head := x.head; head != nil {
		x.head = nil
		head()
	}
}

// begin opens data where something is about to be written to it.
func (x *xmlWriter) begin() {
	if x.head == nil {
		return
	}
	x.writeHead()
	x.data = true
	x.raw("\n<data>")
}

func (x *xmlWriter) flush() error { return x.w.Flush() }

// Open writes a start tag.
func (x *xmlWriter) Open(name string, attrs ...attr) {
	x.tag(name, attrs)
	x.raw(">")
}

// Empty writes an element without content.
func (x *xmlWriter) Empty(name string, attrs ...attr) {
	x.tag(name, attrs)
	x.raw(" />")
}

func (x *xmlWriter) tag(name string, attrs []attr) {
	x.begin()
	b := append(append(x.w.AvailableBuffer(), "\n<"...), name...)
	for _, at := range attrs {
		b = append(append(append(b, ' '), at.name...), `="`...)
		b = append(escapeAttr.append(b, []byte(xmlText(at.text))), '"')
	}
	_, _ = x.w.Write(b)
}

// Close writes an end tag.
func (x *xmlWriter) Close(name string) {
	x.raw("</")
	x.raw(name)
	x.raw(">")
}

// Scalar writes an element whose value a client trims: codes, ids, tokens,
// numbers, states. In the padded style there are blanks inside its CDATA.
func (x *xmlWriter) Scalar(name, text string, attrs ...attr) {
	if x.style == Padded && text != "" {
		text = " " + text + " "
	}
	x.Text(name, text, attrs...)
}

// Text writes an element with free text, which arrives at a client as it is.
func (x *xmlWriter) Text(name, text string, attrs ...attr) {
	x.Open(name, attrs...)
	// A client drops white space around a single CDATA section only.
	pad := x.style == Padded && !strings.Contains(text, "]]>") && !strings.Contains(text, "\r")
	if pad {
		x.raw("\n")
	}
	x.chars(text)
	if pad {
		x.raw("\n")
	}
	x.Close(name)
}

// Plain writes an element with its text outside CDATA in every style.
func (x *xmlWriter) Plain(name, text string) {
	x.Open(name)
	x.escaped(xmlText(text))
	x.Close(name)
}

// Chars writes text directly into the element that is open.
func (x *xmlWriter) Chars(text string) {
	x.begin()
	x.chars(text)
}

func (x *xmlWriter) chars(text string) {
	text = xmlText(text)
	if x.style == None {
		x.escaped(text)
		return
	}
	x.raw("<![CDATA[")
	_, _ = escapeCDATA.WriteString(x.w, text)
	x.raw("]]>")
}

func (x *xmlWriter) escaped(text string) {
	_, _ = x.w.Write(escapeText.append(x.w.AvailableBuffer(), []byte(text)))
}

// raw writes markup. A bufio.Writer keeps its first error for Flush.
func (x *xmlWriter) raw(s string) { _, _ = x.w.WriteString(s) }

var escapeCDATA = strings.NewReplacer("]]>", "]]]]><![CDATA[>", "\r", "]]>&#13;<![CDATA[")

// xmlText is the text itself: parameters are checked when they arrive. Should
// something else have found its way into the store, a document that can be
// read is worth more than the character.
func xmlText(s string) string {
	if isPlain(s) || xmlscan.Carries(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if xmlscan.Carries(string(r)) {
			return r
		}
		return utf8.RuneError
	}, strings.ToValidUTF8(s, string(utf8.RuneError)))
}

// isPlain is the short way through value.Text for most of what is written.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
