package view

import "io"

// Busy is the page for a search that got no place, or took too long.
type Busy struct {
	Frame
	Query string // of the paper's address, without the search
}

type busyData struct {
	*Busy
	frameData
}

// Write writes the page.
func (b *Busy) Write(w io.Writer) error {
	return forms().ExecuteTemplate(w, "busy.html.tmpl", busyData{b, b.Frame.data()})
}
