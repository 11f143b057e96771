package terminal

import (
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// Redraw is how often the screen is drawn.
const Redraw = 250 * time.Millisecond

// Of is the terminal that an output is.
func Of(out io.Writer) (f *os.File, ok bool) {
	f, ok = out.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" // which shows control sequences as they are
}
