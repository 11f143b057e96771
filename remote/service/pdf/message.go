package pdf

// message is what a worker sends, gob-encoded on its standard output: one with Running, one with
// Pages and the attached tables, one for each page, one with Outline, Wishes and End. A message with Failure
// may come at any point and ends the results.
type message struct {
	Running bool // PDFium is compiled, and starts to read the file
	Pages   int
	Tables  []Attachment // with Pages
	// TableFailure says why tables are missing; "" if none is.
	TableFailure string
	Page         *Page
	Outline      Outline
	Wishes       Wishes
	End          bool
	Failure      *Failure
}

// fits reports whether the attachments are within the worker's bounds.
func (m *message) fits() bool {
	bytes := 0
	for _, a := range m.Tables {
		bytes += len(a.Content)
	}
	return len(m.Tables) <= mostTables && bytes <= tableBytes
}

// fits reports whether the page's lines are within the worker's bounds. The code that displays
// lines relies on positions on or near the page.
func (p *Page) fits() bool {
	if len(p.Lines) > mostLines {
		return false
	}
	for _, l := range p.Lines {
		if len(l.Words) > 2*len(l.Text) {
			return false
		}
		for _, f := range append([]float64{l.X, l.Y, l.Width, l.Height}, l.Words...) {
			if !(f >= 0 && f < 2) {
				return false
			}
		}
	}
	return true
}

// fits reports whether the bookmarks are within the worker's bounds.
func (o Outline) fits() bool {
	for _, b := range o {
		if b.Level < 0 || b.Level > deepestBookmarks {
			return false
		}
	}
	return len(o) <= mostBookmarks
}
