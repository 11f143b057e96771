package caller

import (
	"os"
	"strconv"
	"strings"
)

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

// Arguments returns the arguments of a process after the name of its program, and its working directory; none where they cannot
// be read, or are very long.
func Arguments(process uint32) (arguments []string, dir string) {
	line := make([]byte, 64<<10)
	read, err := read(process, "cmdline", line)
	if err == nil {
		dir, err = os.Readlink("/proc/" + strconv.FormatUint(uint64(process), 10) + "/cwd")
	}
	if err != nil || len(read) == len(line) {
		return nil, ""
	}
	arguments = strings.Split(strings.TrimSuffix(string(read), "\x00"), "\x00")
	return arguments[1:], dir
}
