package caller

import (
	"os"
	"strconv"
	"strings"
)

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
