package caller

import (
	"bytes"
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
	stat, held := statOf(tid)
	if held {
		c.Program, c.Exec = Comm(tid), !exiting
		return c
	}
	c.Program, c.Ends = programIn(stat), exiting
	c.Killed, c.Dying = exiting && killed(stat, tid) || cleansUp(stat), !exiting && killPending(stat)
	return c
}
