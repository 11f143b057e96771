package answer

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// Writer writes the children of an answer's data element. Before the first of them it writes the
// start of the envelope, with SUCCESS. It keeps connection errors until the end, so handlers need
// not check for them.
type Writer struct {
	w     *bufio.Writer
	style CDATAStyle
	// Head writes everything that precedes data; nil once written.
	Head func()
	data bool // inside data
	open bool // a start tag has no > yet: an element that is closed at once is an empty one

	root     *Shape    // of an answer as JSON; nil for XML
	elements []element // of JSON that are open
}

// Attr is an attribute of an element.
type Attr struct{ name, text string }

// String is a text attribute.
func String(name, text string) Attr { return Attr{name, text} }

// Int is a numeric attribute.
func Int(name string, number int64) Attr { return Attr{name, strconv.FormatInt(number, 10)} }

// TrueFalse is a boolean attribute of structure kind: True or False.
func TrueFalse(name string, v bool) Attr {
	return Attr{name, rules.Structure(v)}
}

// answerBuffer is the size in bytes of the pieces in which an answer is sent.
const answerBuffer = 32 << 10

// answerBuffers pools the buffers: they are most of the cost of a small answer.
var answerBuffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, answerBuffer) }}

// NewWriter returns a writer for an answer to w.
func NewWriter(w io.Writer, style CDATAStyle) *Writer {
	x := &Writer{style: style}
	x.Take(w)
	return x
}

// Take takes a buffer, after Release, for an answer to w.
func (x *Writer) Take(w io.Writer) {
	x.w = answerBuffers.Get().(*bufio.Writer)
	x.w.Reset(w)
}

// Release returns the buffer to the pool. x must not be used after that but for Take, nor have anything to send.
func (x *Writer) Release() {
	if x.w != nil {
		x.w.Reset(nil)
		answerBuffers.Put(x.w)
		x.w = nil
	}
}

// Reset discards what was written but not yet sent.
func (x *Writer) Reset(w io.Writer) {
	x.w.Reset(w)
	x.data, x.open = false, false
	if x.root != nil {
		x.elements = append(x.elements[:0], element{shape: x.root})
	}
}

// Begun reports whether anything was written to data. If not, the answer has no data element.
func (x *Writer) Begun() bool {
	x.writeHead()
	return x.data
}

func (x *Writer) writeHead() {
	if head := x.Head; head != nil {
		x.Head = nil
		head()
	}
}

// begin opens data before something is written to it.
func (x *Writer) begin() {
	if x.Head == nil {
		return
	}
	x.writeHead()
	x.data = true
	if x.root != nil {
		x.openJSON("data", nil)
		return
	}
	x.Raw("\n<data>")
}

// Flush sends the rest and returns the first error.
func (x *Writer) Flush() error { return x.w.Flush() }

// Open writes a start tag.
func (x *Writer) Open(name string, attrs ...Attr) {
	if x.begin(); x.root != nil {
		x.openJSON(name, attrs)
		return
	}
	x.tag(name, attrs)
	x.open = true
}

// Empty writes an element without content.
func (x *Writer) Empty(name string, attrs ...Attr) {
	x.Open(name, attrs...)
	x.Close(name)
}

func (x *Writer) tag(name string, attrs []Attr) {
	x.seal()
	b := append(append(x.w.AvailableBuffer(), "\n<"...), name...)
	for _, at := range attrs {
		b = append(append(append(b, ' '), at.name...), `="`...)
		b = append(escapeAttr.append(b, []byte(Carried(at.text))), '"')
	}
	_, _ = x.w.Write(b)
}

// Close writes an end tag.
func (x *Writer) Close(name string) {
	if x.root != nil {
		x.closeJSON()
		return
	}
	if x.open {
		x.open = false
		x.Raw(" />")
		return
	}
	x.Raw("</")
	x.Raw(name)
	x.Raw(">")
}

// Scalar writes an element whose value clients trim: codes, ids, tokens, numbers, states. In the
// padded style its CDATA contains spaces.
func (x *Writer) Scalar(name, text string, attrs ...Attr) {
	if x.style == Padded && text != "" {
		text = " " + text + " "
	}
	x.Text(name, text, attrs...)
}

// Text writes an element with free text, which clients receive unchanged.
func (x *Writer) Text(name, text string, attrs ...Attr) {
	x.Open(name, attrs...)
	// Clients drop white space only around a single CDATA section.
	pad := x.style == Padded && !strings.Contains(text, "]]>") && !strings.Contains(text, "\r")
	if pad {
		x.Raw("\n")
	}
	x.chars(text)
	if pad {
		x.Raw("\n")
	}
	x.Close(name)
}

// Plain writes an element with text outside CDATA, whatever the style.
func (x *Writer) Plain(name, text string) {
	x.Open(name)
	if x.root != nil {
		x.chars(text)
	} else {
		x.escaped(Carried(text))
	}
	x.Close(name)
}

// Chars writes text directly into the open element.
func (x *Writer) Chars(text string) {
	x.begin()
	x.chars(text)
}

func (x *Writer) chars(text string) {
	text = Carried(text)
	if x.root != nil {
		x.textJSON(text)
		return
	}
	if x.style == None {
		x.escaped(text)
		return
	}
	x.Raw("<![CDATA[")
	_, _ = escapeCDATA.WriteString(x.w, text)
	x.Raw("]]>")
}

func (x *Writer) escaped(text string) {
	x.seal()
	_, _ = x.w.Write(escapeText.append(x.w.AvailableBuffer(), []byte(text)))
}

// Raw writes markup. The bufio.Writer keeps the first error for Flush.
func (x *Writer) Raw(s string) {
	x.seal()
	_, _ = x.w.WriteString(s)
}

// seal ends a start tag, before something is in its element.
func (x *Writer) seal() {
	if x.open {
		x.open = false
		_ = x.w.WriteByte('>')
	}
}

var escapeCDATA = strings.NewReplacer("]]>", "]]]]><![CDATA[>", "\r", "]]>&#13;<![CDATA[")

// Carried returns the text with characters replaced that XML cannot represent. Parameters are
// validated on arrival, so that is rare; but if such a character gets into the store, a readable
// document matters more than the character.
func Carried(s string) string {
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

// isPlain is a fast path for most texts.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
