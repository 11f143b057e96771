package view

import (
	"html/template"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostile has texts that contain delimiters, special sequences or invalid UTF-8.
var hostile = []string{
	"", " ", "plain", `"`, `'`, "`", "<", ">", "&", "&amp;", "&lt", "&#x27;", "+", "=", "%", "%4", "%41", "%zz", "%%41", "a%", "100 %",
	`"><script>alert(1)</script>`, "'-alert(1)-'", "</title></svg><img src=x onerror=alert(1)>", "<!--", "-->", "]]>", "<![CDATA[",
	"\x00", "a\x00b", "\x01\x1f\x7f", "\t\n\f\r", "\u2028\u2029", "\ufeff", "\u202eabc", "\ufffd", "\ufdd0", "\U0010ffff", "ü€😀", "e\u0301",
	"\xff", "\xc3", "\xc3\"", "\xe2\x80\"><b>", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0\xbc",
	"javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "\x01javascript:alert(1)", " javascript:alert(1)", "data:text/html,<script>", "vbscript:x",
	"https://user:pass@example.org:8080/a b/c;d=e?f=g&h=\"i\"#j'k", "https://[::1]/", "https://example.org/(a)!*~{}|\\^`", "//example.org", "#p1i2", "./?Page=2&View=text", "mailto:a@b.c?subject=x y", "1;2.50", "{{.}}", "${x}",
}

// TestMarkupEscapesAsTemplatesDo checks that markup escapes a text as html/template does: in an
// element, in an attribute, and as an address whose scheme was checked.
func TestMarkupEscapesAsTemplatesDo(t *testing.T) {
	reference := template.Must(template.New("").Parse(`<p title="{{.}}">{{.}}</p>`))
	address := template.Must(template.New("").Parse(`<a href="{{.}}">`))
	for _, text := range hostile {
		var want strings.Builder
		require.NoError(t, reference.Execute(&want, text))
		var m markup
		m.add(`<p title="`)
		m.text(text)
		m.add(`">`)
		m.text(text)
		m.add(`</p>`)
		require.Equal(t, want.String(), string(m), "%q", text)

		want.Reset()
		require.NoError(t, address.Execute(&want, template.URL(text)))
		m = nil
		m.add(`<a href="`)
		m.address(text)
		m.add(`">`)
		require.Equal(t, want.String(), string(m), "%q", text)
	}
}
