package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// status is a line of a process's /proc/PID/status, in kB.
func (p *process) status(line string) (kB int, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for l := range strings.Lines(string(text)) {
		if n, _ := fmt.Sscanf(l, line+": %d kB", &kB); n == 1 {
			return kB, nil
		}
	}
	return 0, fmt.Errorf("the status of process %d has no %s", p.cmd.Process.Pid, line)
}

// resident is the memory that a process has when it has come to rest: when that
// has not changed for a while.
func (p *process) resident() (kB int, err error) {
	const pause, rest, patience = 50 * time.Millisecond, 20, 200
	last, still := -1, 0
	for range patience {
		if kB, err = p.status("VmRSS"); err != nil {
			return 0, err
		}
		if still++; kB != last {
			last, still = kB, 0
		}
		if still == rest {
			break
		}
		time.Sleep(pause)
	}
	return kB, nil
}

// forgetPeak resets VmHWM.
func (p *process) forgetPeak() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0)
}
