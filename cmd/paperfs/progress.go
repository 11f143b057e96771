package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// shownAfter is how long somebody waits on a terminal without being shown for what.
const shownAfter = time.Second

// shown tells on a terminal, in a line of its own that goes away at the end, what is waited for. It
// says nothing before shownAfter, and nothing elsewhere.
func shown(w io.Writer, words func() string) (end func()) {
	f, ok := terminal(w)
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
			wait = redraw
			fmt.Fprintf(f, "\r\033[K%s, %s", printable(words()), time.Since(began).Round(time.Second))
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// always is words that do not change.
func always(words string) func() string { return func() string { return words } }

// counted is a file of which it is known how much was read.
type counted struct {
	file *os.File
	read atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.file.Read(p)
	c.read.Add(int64(n))
	return n, err
}

// words say how far the reading is.
func (c *counted) words() string {
	info, err := c.file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return fmt.Sprintf("importing %s", c.file.Name())
	}
	return fmt.Sprintf("importing %s, %d %% read", c.file.Name(), min(100, c.read.Load()*100/info.Size()))
}
