package view

import "io"

// State is a page in place of pages: why there are none, and what can be done.
type State struct {
	Frame
	Saying
	Percent     int    // of the processing that goes on; 0 for none
	Again       int    // seconds until the browser asks again by itself; 0 for never
	Link, Label string // where to go from here; "" for nowhere
}

// Write writes the page.
func (s *State) Write(w io.Writer) error {
	d := s.document()
	d.beginOwn(&s.Frame)
	if s.Again != 0 {
		d.Line(`<meta http-equiv="refresh" content="{}">`, s.Again)
	}
	d.Line(`<title>{}{}</title>`, s.Heading, with(": {}", s.Title))
	d.tab(&s.Frame)
	d.look(&s.Frame, "reader.css")
	d.body(&s.Frame, ` class="state"`)
	d.Line(`<main>`)
	d.whose(&s.Frame)
	d.Line(`{}
<h1>{}</h1>`, icon(book), s.Heading)
	if s.Percent != 0 {
		d.Line(`<progress max="100" value="{}" aria-label="{}">{} %</progress>`, s.Percent, s.Heading, s.Percent)
	}
	d.Line(`<p role="status">{}</p>`, s.Saying.Text)
	if s.Label != "" {
		d.Line(`<p><a class="button go" href="{}">{}</a></p>`, s.Link, s.Label)
	}
	d.Line(`</main>
</body>
</html>
`)
	return d.flush(w)
}
