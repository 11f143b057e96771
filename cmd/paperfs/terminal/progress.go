package terminal

import (
	"fmt"
	"io"
	"time"
)

// shownAfter is how long somebody waits on a terminal without being shown for what.
const shownAfter = time.Second

// Shown tells on a terminal, in a line of its own that goes away at the end, what is waited for. It
// says nothing before shownAfter, and nothing elsewhere.
func Shown(w io.Writer, words func() string) (end func()) {
	f, ok := Of(w)
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

// Always is words that do not change.
func Always(words string) func() string { return func() string { return words } }
