package caller

import "syscall"

const (
	flagSignaled   = 0x400 // PF_SIGNALED: ended by a signal, or by another thread's exit
	flagDumpedCore = 0x200 // PF_DUMPCORE
)

// killed reports from the stat of an exiting thread whether a signal ends it. A
// multi-threaded program that ends by exit has the flag, too, with an exit code that names
// no signal. A process that may not trace it sees 0 as the exit code; then the pending
// signals decide.
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

// killPending reports from the stat of a thread whether a signal is about to end it: for
// any such signal, the kernel makes SIGKILL pending for each thread.
func killPending(stat string) bool {
	pending, _ := number(stat, 31)
	return pending&(1<<(syscall.SIGKILL-1)) != 0
}

// fatal are the signals whose default is to end a program without a core dump.
const fatal = ending&^(1<<(syscall.SIGQUIT-1)) | 1<<(syscall.SIGPIPE-1) | 1<<(syscall.SIGALRM-1) |
	1<<(syscall.SIGUSR1-1) | 1<<(syscall.SIGUSR2-1) | 1<<(syscall.SIGVTALRM-1) | 1<<(syscall.SIGPROF-1)

// fatalPending reports whether a fatal signal is still pending for the whole process: the
// kernel leaves the signal that ends it there.
func fatalPending(tid uint32) bool {
	pending, ok := statusField(tid, "ShdPnd")
	return ok && mask(pending)&fatal != 0
}
