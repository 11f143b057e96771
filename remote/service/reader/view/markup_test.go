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

// TestMarkupEscapesAsTemplatesDo checks that each place where text of others may be escapes it as html/template does.
func TestMarkupEscapesAsTemplatesDo(t *testing.T) {
	for _, form := range []HTML{
		`<p>{}</p>`, `<p title="{}">`, `<p title="a {} b" lang="x">`, `<input name="a" value="{}">`, `<title>{}</title>`, `<textarea>{}</textarea>`, `<p data-total="{}">`,
		`<a href="{}">`, `<a class="b" href="{}">`, `<a href="./{}">`, `<a href="/a{}">`, `<a href="?a={}">`, `<a href="#{}">`, `<a href="./?a={}&amp;b">`,
		`<img src="{}">`, `<form action="{}">`, `<button formaction="{}">`, `<a data-href="{}">`, `<object data="{}"></object>`, `<blockquote cite="{}">`, `<p data-{}="">`, `<p data-a-{}="b">`,
	} {
		reference := template.Must(template.New("").Parse(strings.ReplaceAll(string(form), "{}", "{{.}}")))
		for _, text := range hostile {
			require.Equal(t, executed(t, reference, text), string(Form(form, text)), "%s: %q", form, text)
			require.Equal(t, executed(t, reference, template.URL(text)), string(Form(form, Address(text))), "%s: %q", form, text)
		}
	}
	both := template.Must(template.New("").Parse(`<a href="{{.}}{{.}}">`))
	about := template.Must(template.New("").Parse(`<script type="application/ld+json">{{.}}</script>`))
	for _, text := range hostile {
		require.Equal(t, executed(t, both, text), string(Form(`<a href="{}{}">`, text, text)))
		said := map[string]any{text: []string{text}}
		require.Equal(t, executed(t, about, said), string(Form(`<script type="application/ld+json">{}</script>`, data(said))))
	}
}

func executed(t *testing.T, reference *template.Template, data any) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, reference.Execute(&b, data))
	return b.String()
}

// TestAnAddressRunsNoScript checks which schemes an address of others may have.
func TestAnAddressRunsNoScript(t *testing.T) {
	for _, evil := range []string{"javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x", "blob:x"} {
		require.Equal(t, HTML(`<a href="#`+refused+`">`), Form(`<a href="{}">`, evil), evil)
	}
	for _, good := range []string{"https://a.example/", "HTTP://a.example/", "mailto:a@b.example", "./?a=b:c", "/javascript:x", "#p1"} {
		require.Equal(t, HTML(`<a href="`+good+`">`), Form(`<a href="{}">`, good), good)
	}
}

// TestTextHasNoPlaceInTagsOrScripts checks that text of others is nowhere where it cannot be escaped.
func TestTextHasNoPlaceInTagsOrScripts(t *testing.T) {
	for _, form := range []HTML{
		`<{}>`, `<p {}>`, `<p title={}>`, ` title={}`, `<p {}="a">`, `<p title="a"{}>`, `<p style="{}">`, `<p onclick="{}">`, ` onclick="{}"`, `<iframe srcdoc="{}">`, `<!-- {} -->`, `<!-- > {} -->`, `<meta http-equiv="refresh" content="{}">`,
		`<style>{}</style>`, `<script>{}</script>`, `<script>a = "{}"</script>`, `<script>a="{}"</script>`, `<script type="module">{}</script>`, `<script type="application/ld+json">{}</script>`,
	} {
		require.Panics(t, func() { Form(form, "a") }, form)
		require.Panics(t, func() { Form(form, Address("a")) }, form)
	}
	require.Panics(t, func() { Form(`<p title="{}">`, HTML(`<b id="a">`)) }, "markup does not end an attribute either")
	require.Panics(t, func() { Form(`{}`, 1.5) })
	require.Panics(t, func() { Form(`{}`, "a", "b") })
}
