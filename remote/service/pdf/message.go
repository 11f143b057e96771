package pdf

// order is what a worker gets, gob-encoded on its standard input. The PDF is
// its file descriptor pdfFD.
type order struct {
	Job    Job
	Limits Limits
	Cache  string // directory for compiled code
}

const pdfFD = 3

// message is what a worker sends, gob-encoded on its standard output: one with
// Pages, one for each page, one with Outline and End; or at any point one with
// Failure, the last.
type message struct {
	Pages   int
	Page    *Page
	Outline Outline
	End     bool
	Failure *Failure
}
