package caller

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// read returns the beginning of a thread's file in /proc, up to the length of into. Each
// close calls it, so it avoids package os, which would first try to poll such a file.
func read(tid uint32, file string, into []byte) ([]byte, error) {
	fd, err := uninterrupted(func() (int, error) {
		return unix.Open("/proc/"+strconv.FormatUint(uint64(tid), 10)+"/"+file, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	n, err := uninterrupted(func() (int, error) { return unix.Read(fd, into) })
	if err != nil {
		return nil, err
	}
	return into[:n], nil
}

func uninterrupted(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

// Comm returns the name of the program that thread tid runs (at most 15 bytes), or "" if
// it cannot be read.
func Comm(tid uint32) string {
	if tid == 0 {
		return ""
	}
	b, err := read(tid, "comm", make([]byte, 64))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(b), "\n")
}

// statusField returns one line of a thread's status. Reading status never blocks.
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

// Process returns the process of thread tid, or 0 if it is not known.
func Process(tid uint32) uint32 {
	// The first thread of a process has the number of the process. Testing for that costs
	// far less than reading the thread's status.
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
