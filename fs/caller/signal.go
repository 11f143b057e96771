package caller

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// ending are the signals by which a user or the system ends a program. Others end nothing:
// Go sends itself SIGURG all the time, and children, timers and terminals send more.
const ending = 1<<(syscall.SIGKILL-1) | 1<<(syscall.SIGINT-1) | 1<<(syscall.SIGTERM-1) |
	1<<(syscall.SIGHUP-1) | 1<<(syscall.SIGQUIT-1)

// Ending reports whether a signal that ends thread tid is pending and neither blocked nor
// ignored. It returns false if the thread's status cannot be read.
func Ending(tid uint32) bool {
	if tid == 0 {
		return false
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", tid))
	return err == nil && endingIn(status)
}

// endingIn is Ending for the content of a status file.
func endingIn(status []byte) bool {
	var pending, masked uint64
	lines := bufio.NewScanner(bytes.NewReader(status))
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		switch name {
		case "SigPnd", "ShdPnd":
			pending |= mask(value)
		case "SigBlk", "SigIgn":
			masked |= mask(value)
		}
	}
	return pending&^masked&ending != 0
}

func mask(value string) uint64 {
	m, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
	if err != nil {
		return 0
	}
	return m
}
