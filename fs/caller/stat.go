package caller

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// soon is within what time a stat comes on a machine that is not busy.
	soon = 50 * time.Millisecond
	// A reader that sleeps in the kernel at so many looks, so far apart, waits
	// for an exec.
	looks   = 5
	between = 10 * time.Millisecond
	// atMost is when the reading is given up, whatever the reader does.
	atMost = 10 * time.Second
)

// statOf reads a thread's stat; held tells that an exec holds it up. The
// reading then ends when the FLUSH is answered.
func statOf(tid uint32) (stat string, held bool) {
	got := make(chan string, 1)
	go func() { got <- readStat(tid) }()
	timer := time.NewTimer(soon)
	defer timer.Stop()
	select {
	case stat := <-got:
		return stat, false
	case <-timer.C:
		return statOrHeld(tid)
	}
}

// statOrHeld is statOf for a stat that is late. A busy machine may be the
// reason, too, and a close that is taken for an exec is answered before its
// content is safe: so the reader itself is looked at.
func statOrHeld(tid uint32) (stat string, held bool) {
	got, reader := make(chan string, 1), make(chan int, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		reader <- unix.Gettid()
		got <- readStat(tid)
	}()
	thread := <-reader
	tick := time.NewTicker(between)
	defer tick.Stop()
	began := time.Now()
	for asleep := 0; asleep < looks && time.Since(began) < atMost; {
		select {
		case stat := <-got:
			return stat, false
		case <-tick.C:
		}
		if asleep++; !blocked(thread) {
			asleep = 0
		}
	}
	return "", true
}

// readStat is a thread's stat, empty where that is gone.
func readStat(tid uint32) string {
	b, _ := read(tid, "stat", make([]byte, 1024))
	return string(b)
}

// blocked reports whether a thread of this process sleeps in the kernel and
// only what it waits for wakes it: state D.
func blocked(thread int) bool {
	stat, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(thread) + "/stat")
	_, fields, found := bytes.Cut(stat, []byte(") "))
	return err == nil && found && bytes.HasPrefix(fields, []byte("D"))
}
