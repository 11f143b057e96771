package cli

import (
	"fmt"
	"io"
	"time"
)

// shownAfter is how long a user waits before Shown prints what for.
const shownAfter = time.Second

// Shown prints on a terminal what the command waits for, in a line that it removes at the end. It
// prints nothing before shownAfter, and nothing if w is not a terminal.
func Shown(w io.Writer, words func() string) (end func()) {
	f, ok := Terminal(w)
	if !ok {
		return func() {}
	}
	began, done, ended := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		wait := shownAfter
		for {
			select {
			case <-done:
				if wait != shownAfter {
					fmt.Fprint(f, "\r\033[K")
				}
				return
			case <-time.After(wait):
			}
			wait = Redraw
			fmt.Fprintf(f, "\r\033[K%s, %s", Printable(words()), time.Since(began).Round(time.Second))
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// Always returns words that do not change.
func Always(words string) func() string { return func() string { return words } }
