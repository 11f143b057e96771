package cli

import (
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// Redraw is the interval between two updates of the screen.
const Redraw = 250 * time.Millisecond

// Terminal returns the terminal that an output is connected to, if any.
func Terminal(out io.Writer) (f *os.File, ok bool) {
	f, ok = out.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" // a dumb terminal prints control sequences literally
}
