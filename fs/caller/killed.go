package caller

import "syscall"

const (
	flagSignaled   = 0x400 // PF_SIGNALED: ended by a signal, or by another thread's exit
	flagDumpedCore = 0x200 // PF_DUMPCORE
)

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

// fatal are the signals whose default is to end a program without a core dump.
const fatal = ending&^(1<<(syscall.SIGQUIT-1)) | 1<<(syscall.SIGPIPE-1) | 1<<(syscall.SIGALRM-1) |
	1<<(syscall.SIGUSR1-1) | 1<<(syscall.SIGUSR2-1) | 1<<(syscall.SIGVTALRM-1) | 1<<(syscall.SIGPROF-1)

// fatalPending reports whether a signal that ends a program is still pending
// for the whole of it: the kernel leaves the one that does there.
func fatalPending(tid uint32) bool {
	pending, ok := statusField(tid, "ShdPnd")
	return ok && mask(pending)&fatal != 0
}
