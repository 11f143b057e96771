package pdf

// order is the input of a worker, gob-encoded on its standard input. The PDF is
// open as file descriptor pdfFD.
type order struct {
	Job    Job
	Limits Limits
	Cache  string // directory for compiled code
}

const pdfFD = 3
