package help

import (
	"io"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/reader/view"
)

// params returns an operation's parameters in order, credentials first.
func params(op *remote.Operation) []string {
	return append([]string{op.Pair.Username, op.Pair.Password}, op.All()...)
}

// begin begins a page with a title.
func begin(m *view.Markup, title string) {
	m.Add(`<!DOCTYPE html>
<html lang="en" class="shelf">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{} Web Service</title>
<link rel="icon" type="image/svg+xml" href="../{}">
<link rel="stylesheet" href="../{}">
<link rel="stylesheet" href="../{}">
</head>
<body class="help">
<main>`, title, view.AssetPath("icon.svg"), view.AssetPath("reader.css"), view.AssetPath("help.css"))
}

// end ends a page, and writes it.
func end(m *view.Markup, w io.Writer) error {
	m.Line(`</main>
</body>
</html>
`)
	_, err := w.Write(*m)
	return err
}

// Group writes the page that lists the operations of a group.
func Group(w io.Writer, group string, ops []*remote.Operation) error {
	var m view.Markup
	begin(&m, group)
	m.Line(`<h1>{}</h1>
<p>The following operations are supported. For a formal definition, see the <a href="?WSDL">service description</a> or, of all groups, <a href="openapi.json">openapi.json</a>.</p>
<ul class="operations">`, group)
	for _, op := range ops {
		m.Line(`<li><a href="?op={}">{}</a>`, op.Name, op.Name)
		if op.Changes {
			m.Add(` <span>changes the publications</span>`)
		}
		m.Add(`</li>`)
	}
	m.Line(`</ul>`)
	return end(&m, w)
}

// Operation writes the page of one operation; path is its path on this service.
func Operation(w io.Writer, op *remote.Operation, path string) error {
	var m view.Markup
	begin(&m, op.Name+" - "+op.Group)
	does := "Reads only."
	if op.Changes {
		does = "Changes the publications."
	}
	m.Line(`<h1>{}</h1>
<p class="whose">Part of <a href="?">{}</a>. {}</p>
<h2>Parameters</h2>
<dl>`, op.Name, op.Group, does)
	for _, name := range params(op) {
		m.Line(`<dt><code>{}</code></dt>
<dd>{}</dd>`, name, Format(op, name))
	}
	request(&m, op, path)
	for _, r := range recipes(op) {
		m.Line(`<h2>A file of any size {}</h2>
<p>{} Change the other parameters to yours; the account and the address are those of <code>client.env</code>. Start it with <code>{}</code>.</p>
<pre tabindex="0">{}</pre>`, r.Title, r.How, r.Run, r.Text)
	}
	if answer := Answer(op); answer != "" {
		m.Line(`<h2>In the data element of the answer</h2>
<pre tabindex="0">{}</pre>`, answer)
	}
	m.Line(`<h2>Result codes</h2>
<ul class="codes">`)
	for _, code := range Sent(op) {
		m.Line(`<li><code>{}</code></li>`, string(code))
	}
	m.Line(`</ul>`)
	return end(&m, w)
}

// request says how the parameters are sent.
func request(m *view.Markup, op *remote.Operation, path string) {
	m.Line(`</dl>
<p>Ids are whole numbers. All are strings. Send them by GET in the query string, in an address of at most 64 KiB, or by POST as <code>application/x-www-form-urlencoded</code>, which keeps the
credentials out of addresses and logs:</p>
<pre tabindex="0">POST {} HTTP/1.1
Content-Type: application/x-www-form-urlencoded

{}=string</pre>

<p>With the header <code>Accept: application/json</code> the answer is JSON`, path, strings.Join(params(op), "=string&"))
	if op.Bulk == "" {
		m.Add(`, and the parameters may be a JSON object of <code>Content-Type: application/json</code>`)
	}
	m.Add(`:
see <a href="openapi.json">openapi.json</a>.</p>`)
}
