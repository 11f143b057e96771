package mountpoint

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// Unmounter unmounts when signals ask for it.
//
// The first signal unmounts. If the mount is busy, Unmounter names the holders and waits: after
// SIGINT without limit, since the user at the terminal can close what is open; after any
// other signal for Patience, then it detaches the mount. A second signal detaches at once.
// SIGUSR1 refreshes at any time. An unmounted mount that other mount namespaces still have
// ends when no program uses it there, and at the latest like a busy one.
type Unmounter struct {
	Unmount  func() error // returns ErrBusy while the mount is busy
	Unused   func() bool  // only other mount namespaces have the unmounted mount, and no program uses it there
	Detach   func() error
	Holders  func() []Holder
	Refresh  func()
	Say      func(line string) // prints a line for the user
	Patience time.Duration
	Retry    time.Duration // pause between attempts while waiting
}

// Defaults of Unmounter.
const (
	DefaultPatience = 30 * time.Second
	DefaultRetry    = 500 * time.Millisecond
)

// Run handles signals until the mount has ended, or no program can use it any more. done is
// closed when its server has ended, however it was unmounted. Run reports whether it detached
// a busy mount.
func (u *Unmounter) Run(signals <-chan os.Signal, done <-chan struct{}) (detached bool) {
	for {
		select {
		case <-done:
			return false
		case s := <-signals:
			if s == syscall.SIGUSR1 {
				u.Refresh()
				continue
			}
			err := u.Unmount()
			switch {
			case errors.Is(err, ErrBusy):
				u.Say(u.busy(s))
			case err != nil:
				u.Say(err.Error())
				continue
			}
			return u.wait(s, signals, done)
		}
	}
}

func (u *Unmounter) wait(first os.Signal, signals <-chan os.Signal, done <-chan struct{}) (detached bool) {
	var over <-chan time.Time
	if first != syscall.SIGINT {
		over = time.After(u.Patience)
	}
	retry := time.NewTicker(u.Retry)
	defer retry.Stop()
	for {
		select {
		case <-done:
			return false
		case <-retry.C:
			if u.Unmount() == nil && u.Unused() {
				return false
			}
			continue
		case s := <-signals:
			if s == syscall.SIGUSR1 {
				u.Refresh()
				continue
			}
		case <-over:
		}
		if err := u.Detach(); err != nil {
			u.Say(err.Error())
			continue
		}
		return true
	}
}

// busy names the holders and says what happens next.
func (u *Unmounter) busy(s os.Signal) string {
	var b strings.Builder
	b.WriteString("the mount is in use")
	found := u.Holders()
	for _, h := range found {
		b.WriteString("\n  " + h.String())
	}
	if len(found) == 0 {
		b.WriteString(" by a process that waits to open a file there, or cannot be seen from here")
	}
	if s == syscall.SIGINT {
		b.WriteString("\nwaiting until it is free; ^C again detaches it at once")
	} else {
		fmt.Fprintf(&b, "\nwaiting until it is free, at most %s; a second signal detaches it at once", u.Patience)
	}
	return b.String()
}
