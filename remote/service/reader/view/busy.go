package view

import "io"

// Busy is what a reader is shown whose search has to wait.
type Busy struct {
	Frame
	Query string // of the address of the paper, without the search
}

type busyData struct {
	*Busy
	frameData
}

// Write writes the page.
func (b *Busy) Write(w io.Writer) error {
	return forms().ExecuteTemplate(w, "busy.html.tmpl", busyData{b, b.Frame.data()})
}
