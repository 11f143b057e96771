package caller

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
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

// stat is what a thread's stat tells; it is zero if the thread has ended.
type stat struct {
	program                       string // the second field, in parentheses, which may contain any characters
	flags, pending, ignored, code uint64 // the 9th, 31st, 33rd and 52nd, as in proc(5)
}

func statIn(text string) (s stat) {
	_, name, _ := strings.Cut(text, "(")
	s.program = name[:max(0, strings.LastIndexByte(name, ')'))]
	fields := strings.Fields(name[len(s.program):]) // after the parenthesis: the third is the second here
	number := func(field int) uint64 {
		if field-2 >= len(fields) {
			return 0
		}
		n, _ := strconv.ParseUint(fields[field-2], 10, 64)
		return n
	}
	s.flags, s.pending, s.ignored, s.code = number(9), number(31), number(33), number(52)
	return s
}

// statOf reads a thread's stat. held means that an exec blocks the read, which then ends
// when the FLUSH is answered.
func statOf(tid uint32) (s stat, held bool) {
	got := make(chan stat, 1)
	go func() { got <- readStat(tid) }()
	timer := time.NewTimer(usualRead)
	defer timer.Stop()
	select {
	case s := <-got:
		return s, false
	case <-timer.C:
		return statOrHeld(tid)
	}
}

// statOrHeld is statOf for a stat that is late. The cause may also be a busy machine, and
// a close that is mistaken for an exec is answered before its content is safe. So
// statOrHeld checks the state of the reading thread.
func statOrHeld(tid uint32) (s stat, held bool) {
	got, reader := make(chan stat, 1), make(chan int, 1)
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
		case s := <-got:
			return s, false
		case <-tick.C:
		}
		if asleep++; !blocked(thread) {
			asleep = 0
		}
	}
	return s, true
}

func readStat(tid uint32) stat {
	b, _ := read(tid, "stat", make([]byte, 1024))
	return statIn(string(b))
}

// blocked reports whether a thread of this process is in an uninterruptible sleep
// (state D).
func blocked(thread int) bool {
	stat, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(thread) + "/stat")
	_, fields, found := bytes.Cut(stat, []byte(") "))
	return err == nil && found && bytes.HasPrefix(fields, []byte("D"))
}
