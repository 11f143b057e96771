package answer

// XML parsers turn CR into LF unless it is a character reference, and TAB, LF and CR in
// attributes into spaces.
var (
	escapeText = newEscapes("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
	escapeAttr = newEscapes("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", "&#9;", "\n", "&#10;", "\r", "&#13;")
)

// escapes maps bytes to their escaped form in one context.
type escapes struct {
	some    [256]bool
	instead [256]string
}

// newEscapes takes pairs of an ASCII character and its escaped form.
func newEscapes(pairs ...string) *escapes {
	e := &escapes{}
	for i := 0; i < len(pairs); i += 2 {
		e.some[pairs[i][0]], e.instead[pairs[i][0]] = true, pairs[i+1]
	}
	return e
}

// append appends the escaped text to b.
func (e *escapes) append(b, text []byte) []byte {
	from := 0
	for i, c := range text {
		if e.some[c] {
			b = append(append(b, text[from:i]...), e.instead[c]...)
			from = i + 1
		}
	}
	return append(b, text[from:]...)
}

// AppendText appends text to b as character data. Every byte of a large answer passes through it.
func AppendText(b, text []byte) []byte { return escapeText.append(b, text) }

// AppendJSON appends text to b as a JSON string without its quotes. Bytes that are no text are replaced.
func AppendJSON(b, text []byte) []byte {
	return escapeJSON.append(b, []byte(Carried(string(text))))
}

// AppendAttr appends text to b as an attribute value.
func AppendAttr(b, text []byte) []byte { return escapeAttr.append(b, text) }
