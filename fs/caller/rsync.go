package caller

import (
	"bytes"
	"syscall"
)

// Interrupted reports whether thread tid belongs to an rsync that was interrupted and
// cleans up. It then closes a partial file, and with --partial or -P renames it to the name
// of the complete file.
func Interrupted(tid uint32) bool {
	if tid == 0 {
		return false
	}
	stat, held := statOf(tid)
	return !held && cleansUp(stat)
}

// cleansUp reports from a stat whether an rsync cleans up: from then on, and never before,
// it ignores both signals by which its processes end each other (cleanup.c).
func cleansUp(stat string) bool {
	const both = 1<<(syscall.SIGUSR1-1) | 1<<(syscall.SIGUSR2-1)
	ignored, ok := number(stat, 33)
	return ok && programIn(stat) == "rsync" && ignored&both == both
}

// Appends reports whether thread tid belongs to an rsync with --append or --append-verify
// among its first arguments.
func Appends(tid uint32) bool {
	if Comm(tid) != "rsync" {
		return false
	}
	line, err := read(tid, "cmdline", make([]byte, 4096))
	return err == nil && bytes.Contains(line, []byte("\x00--append"))
}
