package caller

import (
	"bytes"
)

// Closing is why a FLUSH came: each close of each duplicate of a descriptor
// sends one, and so does the end of a program that has it open.
type Closing struct {
	// Killed: a signal ends the program, or it is an rsync that cleans up after one. So
	// it may have written only half of what it meant to write.
	Killed bool
	// Exec: the program replaces itself with another one and closes this descriptor on
	// the way. Until the FLUSH is answered, every program that looks at the process
	// waits, even each `ps` on the machine: answer at once.
	Exec bool
	// Dying: a signal is about to end the program, which still has its memory. If it was
	// killed in a fork, the kernel closes here the descriptors of the unborn child.
	Dying bool
	Ends  bool // the program has begun to end, and closes what it has open
	// Process is the thread group of the caller, 0 where it is not known.
	Process uint32
	Program string // comm of the caller, for people
}

// CloseOf tells why thread tid sends a FLUSH. It must be called before that is
// answered. A thread that cannot be read makes an ordinary close.
func CloseOf(tid uint32) (c Closing) {
	if tid == 0 {
		return c
	}
	statm, err := read(tid, "statm", make([]byte, 128))
	if err != nil {
		return c
	}
	c.Process = Process(tid)
	// With its memory it is not exiting (exit_mm comes before exit_files). Its
	// stat can be read then unless an exec holds it.
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
