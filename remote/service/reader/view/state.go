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

type stateData struct {
	*State
	frameData
}

// Write writes the page.
func (s *State) Write(w io.Writer) error {
	return forms().ExecuteTemplate(w, "state.html.tmpl", stateData{s, s.Frame.data()})
}
