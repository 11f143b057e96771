package caller

import (
	"bytes"
	"syscall"
)

// Closing says why a FLUSH came. Each close of each duplicate of a descriptor sends one,
// and so does the end of a process that has it open.
type Closing struct {
	// Killed: a signal ends the process, or it is an rsync that cleans up after a signal.
	// It may have written only part of the file.
	Killed bool
	// Exec: the process replaces its program with another and closes this descriptor on
	// the way. Until the FLUSH is answered, every program that reads the process's stat
	// waits, even each `ps` on the machine: answer at once.
	Exec bool
	// Dying: a signal is about to end the process, which still has its memory. If it was
	// killed in a fork, the kernel now closes the descriptors of the unborn child.
	Dying bool
	Ends  bool // the process has begun to end, and closes its descriptors
	// Process is the thread group of the caller, 0 if it is not known.
	Process uint32
	Program string // comm of the caller, for messages
}

// CloseOf returns why thread tid sends a FLUSH. Call it before the FLUSH is answered. If
// the thread's files in /proc cannot be read, the result is an ordinary close.
func CloseOf(tid uint32) (c Closing) {
	if tid == 0 {
		return c
	}
	c.Process = Process(tid)
	statm, err := read(tid, "statm", make([]byte, 128))
	if err != nil {
		return c
	}
	// A thread with memory is not exiting (exit_mm comes before exit_files). Its stat can
	// be read unless an exec blocks it.
	exiting := bytes.HasPrefix(statm, []byte("0 0 0"))
	s, held := statOf(tid)
	if held {
		c.Program, c.Exec = Comm(tid), !exiting
		return c
	}
	c.Program, c.Ends = s.program, exiting
	c.Killed, c.Dying = exiting && s.killed(tid) || s.cleansUp(), !exiting && s.killPending()
	return c
}

const (
	flagSignaled   = 0x400 // PF_SIGNALED: ended by a signal, or by another thread's exit
	flagDumpedCore = 0x200 // PF_DUMPCORE
)

// killed reports from the stat of an exiting thread whether a signal ends it. A
// multi-threaded program that ends by exit has the flag, too, with an exit code that names
// no signal. A process that may not trace it sees 0 as the exit code; then the pending
// signals decide.
func (s stat) killed(tid uint32) bool {
	switch {
	case s.flags&flagSignaled == 0:
		return false
	case s.code != 0:
		return s.code&0x7f != 0
	}
	return s.flags&flagDumpedCore != 0 || fatalPending(tid)
}

// killPending reports from the stat of a thread whether a signal is about to end it: for
// any such signal, the kernel makes SIGKILL pending for each thread.
func (s stat) killPending() bool { return s.pending&(1<<(syscall.SIGKILL-1)) != 0 }

// fatal are the signals whose default is to end a program without a core dump.
const fatal = ending&^(1<<(syscall.SIGQUIT-1)) | 1<<(syscall.SIGPIPE-1) | 1<<(syscall.SIGALRM-1) |
	1<<(syscall.SIGUSR1-1) | 1<<(syscall.SIGUSR2-1) | 1<<(syscall.SIGVTALRM-1) | 1<<(syscall.SIGPROF-1)

// fatalPending reports whether a fatal signal is still pending for the whole process: the
// kernel leaves the signal that ends it there.
func fatalPending(tid uint32) bool {
	pending, ok := statusField(tid, "ShdPnd")
	return ok && mask(pending)&fatal != 0
}

// cleansUp reports from a stat whether an rsync cleans up: from then on, and never before,
// it ignores both signals by which its processes end each other (cleanup.c).
func (s stat) cleansUp() bool {
	const both = 1<<(syscall.SIGUSR1-1) | 1<<(syscall.SIGUSR2-1)
	return s.program == "rsync" && s.ignored&both == both
}
