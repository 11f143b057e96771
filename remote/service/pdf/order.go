package pdf

// order is what a worker gets, gob-encoded on its standard input. The PDF is
// its file descriptor pdfFD.
type order struct {
	Job    Job
	Limits Limits
	Cache  string // directory for compiled code
}

const pdfFD = 3
