package guard

import (
	"os"
	"strconv"
	"strings"
)

// exiting is the flag PF_EXITING of a thread that has begun to end.
const exiting = 0x4

// Dying reports whether a process was killed or is ending but has not ended: one of its
// threads may wait in the kernel forever.
func Dying(pid int) bool {
	proc := "/proc/" + strconv.Itoa(pid)
	if ending(proc + "/stat") {
		return true
	}
	status, err := os.ReadFile(proc + "/status")
	return err == nil && killPending(string(status))
}

// Stopped reports whether a process is stopped, for example by SIGSTOP.
func Stopped(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	return len(fields) > 0 && strings.ToUpper(fields[0]) == "T" // t: by a debugger
}

// ending reports whether the thread of a stat file in /proc has begun to end. It returns
// false if there is no such thread.
func ending(path string) bool {
	stat, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
	fields := strings.Fields(after) // the first is the state, the seventh the flags
	if len(fields) < 7 {
		return false
	}
	flags, _ := strconv.ParseUint(fields[6], 10, 64)
	return fields[0] == "Z" || fields[0] == "X" || flags&exiting != 0
}

// killPending reports from a status whether SIGKILL is pending for the process.
func killPending(status string) bool {
	for line := range strings.Lines(status) {
		name, value, _ := strings.Cut(line, ":")
		if name != "SigPnd" && name != "ShdPnd" {
			continue
		}
		set, _ := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
		if set&(1<<8) != 0 { // the bit of signal 9
			return true
		}
	}
	return false
}

// parentLost reports whether thread tid of process pid, the parent of this process, has ended or
// is ending.
func parentLost(pid, tid int) bool {
	if os.Getppid() != pid {
		return true
	}
	proc := "/proc/" + strconv.Itoa(pid)
	if _, err := os.Stat(proc); err != nil {
		return false // /proc is not visible
	}
	thread := proc + "/task/" + strconv.Itoa(tid) + "/stat"
	_, err := os.Stat(thread)
	return os.IsNotExist(err) || ending(thread)
}
