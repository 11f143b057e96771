package cli

import (
	"io"

	"golang.org/x/term"
)

// The columns of text for people: leastWidth on a narrower terminal, mostWidth on a wider one, and
// usualWidth elsewhere.
const (
	leastWidth = 60
	usualWidth = 80
	mostWidth  = 100
)

// Width returns how many columns text that is written to out may use.
func Width(out io.Writer) int {
	f, ok := Terminal(out)
	if !ok {
		return usualWidth
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width == 0 {
		return usualWidth
	}
	return max(leastWidth, min(width, mostWidth))
}
