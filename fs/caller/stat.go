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
	// usualRead is how long reading a stat takes at most on a machine that is not busy.
	usualRead = 50 * time.Millisecond
	// A reader waits for an exec if it sleeps in the kernel at this many checks in a
	// row, this far apart.
	sleepChecks   = 5
	checkInterval = 10 * time.Millisecond
	// readLimit bounds the reading, whatever the reader does.
	readLimit = 10 * time.Second
)

// statOf reads a thread's stat. held means that an exec blocks the read, which then ends
// when the FLUSH is answered.
func statOf(tid uint32) (stat string, held bool) {
	got := make(chan string, 1)
	go func() { got <- readStat(tid) }()
	timer := time.NewTimer(usualRead)
	defer timer.Stop()
	select {
	case stat := <-got:
		return stat, false
	case <-timer.C:
		return statOrHeld(tid)
	}
}

// statOrHeld is statOf for a stat that is late. The cause may also be a busy machine, and
// a close that is mistaken for an exec is answered before its content is safe. So
// statOrHeld checks the state of the reading thread.
func statOrHeld(tid uint32) (stat string, held bool) {
	got, reader := make(chan string, 1), make(chan int, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		reader <- unix.Gettid()
		got <- readStat(tid)
	}()
	thread := <-reader
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	began := time.Now()
	for asleep := 0; asleep < sleepChecks && time.Since(began) < readLimit; {
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

// readStat returns a thread's stat, or "" if the thread has ended.
func readStat(tid uint32) string {
	b, _ := read(tid, "stat", make([]byte, 1024))
	return string(b)
}

// blocked reports whether a thread of this process is in an uninterruptible sleep
// (state D).
func blocked(thread int) bool {
	stat, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(thread) + "/stat")
	_, fields, found := bytes.Cut(stat, []byte(") "))
	return err == nil && found && bytes.HasPrefix(fields, []byte("D"))
}
