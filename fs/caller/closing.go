package caller

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
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

const (
	flagSignaled   = 0x400 // PF_SIGNALED: ended by a signal, or by another thread's exit
	flagDumpedCore = 0x200 // PF_DUMPCORE
)

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

// programIn is the program's name in a stat: the second field, in parentheses,
// with any characters in it.
func programIn(stat string) string {
	_, name, _ := strings.Cut(stat, "(")
	return name[:max(0, strings.LastIndexByte(name, ')'))]
}

// killed reads from the stat of an exiting thread whether a signal ends it.
// Every multi-threaded program that ends by exit has the flag too, with an
// exit code that names no signal; the exit code is hidden, as 0, from a process that
// may not trace it, and then the pending signals tell.
func killed(stat string, tid uint32) bool {
	flag, ok1 := number(stat, 9)
	code, ok2 := number(stat, 52)
	if !ok1 || !ok2 || flag&flagSignaled == 0 {
		return false
	}
	if code != 0 {
		return code&0x7f != 0
	}
	return flag&flagDumpedCore != 0 || fatalPending(tid)
}

// killPending reads from the stat of a thread whether it is about to be ended: by
// any signal that does so, the kernel has SIGKILL pending for each thread then.
func killPending(stat string) bool {
	pending, _ := number(stat, 31)
	return pending&(1<<(syscall.SIGKILL-1)) != 0
}

// number is a field of a stat, numbered as in proc(5), after the program's name.
func number(stat string, field int) (n uint64, ok bool) {
	i := strings.LastIndexByte(stat, ')')
	fields := strings.Fields(stat[i+1:]) // they begin at the third
	if i < 0 || len(fields) <= field-3 {
		return 0, false
	}
	n, err := strconv.ParseUint(fields[field-3], 10, 64)
	return n, err == nil
}

// fatal are the signals whose default is to end a program without a core dump.
const fatal = ending&^(1<<(syscall.SIGQUIT-1)) | 1<<(syscall.SIGPIPE-1) | 1<<(syscall.SIGALRM-1) |
	1<<(syscall.SIGUSR1-1) | 1<<(syscall.SIGUSR2-1) | 1<<(syscall.SIGVTALRM-1) | 1<<(syscall.SIGPROF-1)

// fatalPending reports whether a signal that ends a program is still pending
// for the whole of it: the kernel leaves the one that does there.
func fatalPending(tid uint32) bool {
	pending, ok := statusField(tid, "ShdPnd")
	return ok && mask(pending)&fatal != 0
}

// Process is the process that thread tid belongs to, 0 where it is not known.
func Process(tid uint32) uint32 {
	// The first thread of a process is numbered as that, and to ask whether it
	// is that one costs far less than to read its status.
	if err := unix.Tgkill(int(tid), int(tid), 0); err == nil || err == unix.EPERM {
		return tid
	}
	text, _ := statusField(tid, "Tgid")
	group, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(group)
}

// statusField is one line of a thread's status, which never blocks.
func statusField(tid uint32, field string) (string, bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", tid))
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(string(status)) {
		if name, value, ok := strings.Cut(line, ":"); ok && name == field {
			return strings.TrimSpace(value), true
		}
	}
	return "", false
}
