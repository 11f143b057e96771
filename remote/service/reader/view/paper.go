package view

import "io"

// Write writes a paper.
func (p *Paper) Write(w io.Writer) error {
	data := paperData{p, p.Frame.data()}
	if err := forms().ExecuteTemplate(w, "before", data); err != nil {
		return err
	}
	pages := articles{of: p, words: data.Words}
	if err := pages.write(w); err != nil {
		return err
	}
	return forms().ExecuteTemplate(w, "behind", data)
}

type paperData struct {
	*Paper
	frameData
}
