package view

import (
	"encoding/json"
	"html"
	"strconv"
	"strings"
)

// HTML is markup: a constant, or what a Markup has written. The compiler takes constants for it and no strings, and a
// test lists the few conversions to it, so text of others gets into a page only through Markup, which escapes it.
type HTML string

// Address is an address whose scheme the caller has checked.
type Address string

// Attribute returns the address as a script finds it in the attribute that Add wrote.
func (a Address) Attribute() string {
	var m Markup
	m.address(string(a), &inURL)
	return html.UnescapeString(string(m))
}

// Markup is markup that is being written.
type Markup []byte

// Add adds a form: constant markup with holes, {}, that values fill. Add escapes them as html/template does, each for
// the place of its hole: an attribute that is an address takes no scheme that could run a script, and where no text of
// others can be (in a tag, a script, a style sheet, a handler), a string is a panic. Values are strings, numbers, an Address
// and HTML.
func (m *Markup) Add(form HTML, values ...any) {
	rest := 0
	for _, value := range values {
		hole := rest + strings.Index(string(form[rest:]), "{}")
		m.add(form[rest:hole])
		m.fill(placeOf(string(form[:hole])), value)
		rest = hole + len("{}")
	}
	m.add(form[rest:])
}

// Line adds a form on a line of its own.
func (m *Markup) Line(form HTML, values ...any) {
	m.add("\n")
	m.Add(form, values...)
}

// Form returns a form with its values.
func Form(form HTML, values ...any) HTML {
	var m Markup
	m.Add(form, values...)
	return HTML(m)
}

// when returns markup if a condition holds, or else none.
func when(is bool, then HTML) HTML {
	if is {
		return then
	}
	return ""
}

// with returns a form with a text in its hole, or none without a text.
func with(form HTML, text string) HTML {
	if text == "" {
		return ""
	}
	return Form(form, text)
}

// data returns data for a <script> that has no code, but JSON.
func data(of any) HTML {
	text, err := json.Marshal(of) // it escapes <, > and &
	if err != nil {
		panic(err) // cannot fail: strings and numbers
	}
	return HTML(text)
}

// fill fills a hole.
func (m *Markup) fill(at place, value any) {
	switch v := value.(type) {
	case HTML:
		if at.quoted() && strings.Contains(string(v), `"`) {
			panic("markup would end the attribute that it is in: " + string(v))
		}
		m.add(v)
	case int:
		m.number(int64(v))
	case int64:
		m.number(v)
	case Address:
		if at == inQuery {
			at = inRest // it is escaped already
		}
		m.escape(at, string(v))
	case string:
		if at == inAddress && !runsNoScript(v) {
			v = "#" + refused
		}
		m.escape(at, v)
	default:
		panic("a hole takes no value of this type")
	}
}

// escape adds text of others.
func (m *Markup) escape(at place, s string) {
	switch at {
	case inText, inAttribute:
		m.text(s)
	case inAddress, inRest:
		m.address(s, &inURL)
	case inQuery:
		m.address(s, &unreserved)
	case inName:
		m.text(nameOf(s))
	default:
		panic("text is where only markup can be: " + s)
	}
}

// add adds markup.
func (m *Markup) add(parts ...HTML) {
	for _, p := range parts {
		*m = append(*m, p...)
	}
}

func (m *Markup) number(n int64) { *m = strconv.AppendInt(*m, n, 10) }

// text adds text, escaped for use between elements and in quoted attributes.
func (m *Markup) text(s string) {
	from := 0
	for i := range len(s) {
		if instead := escapes[s[i]]; instead != "" {
			*m = append(append(*m, s[from:i]...), instead...)
			from = i + 1
		}
	}
	*m = append(*m, s[from:]...)
}

var escapes = [256]string{0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '<': "&lt;", '>': "&gt;"}

// address adds an address, or a part of one, as a quoted attribute. Bytes that it may not have are percent-encoded.
func (m *Markup) address(s string, may *[256]bool) {
	from := 0
	for i := range len(s) {
		if may[s[i]] && (s[i] != '%' || i+2 < len(s) && hexDigit[s[i+1]] && hexDigit[s[i+2]]) {
			continue
		}
		m.text(s[from:i])
		*m = append(*m, '%', hexDigits[s[i]>>4], hexDigits[s[i]&15])
		from = i + 1
	}
	m.text(s[from:])
}

const hexDigits = "0123456789abcdef"

var (
	unreserved = set("-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	inURL      = set("%!#$&*+,/:;=?@[]-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	hexDigit   = set(hexDigits + "ABCDEF")
)

func set(of string) (all [256]bool) {
	for i := range len(of) {
		all[of[i]] = true
	}
	return all
}

// refused is in place of a text that cannot be escaped for its place, as html/template has it.
const refused = "ZgotmplZ"

// nameOf returns a text that can be in the name of an attribute.
func nameOf(s string) string {
	if s == "" || strings.Trim(strings.ToLower(s), "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
		return refused
	}
	return strings.ToLower(s)
}

// runsNoScript reports whether an address is relative, or of a scheme that runs no script.
func runsNoScript(address string) bool {
	scheme, _, has := strings.Cut(address, ":")
	return !has || strings.Contains(scheme, "/") || strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "mailto")
}
