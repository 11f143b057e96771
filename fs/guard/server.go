package guard

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Server finds the process that serves the mount on a device "MAJOR:MINOR": the one that
// has its connection open. Linux shows that since 6.16, for processes that this process
// may inspect. dying is the result of Dying.
func Server(device string) (pid int, dying, found bool) {
	_, number, _ := strings.Cut(device, ":")
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, proc := range processes {
		id, err := strconv.Atoi(filepath.Base(proc))
		if err != nil {
			continue
		}
		// The first thread of a killed process has ended and shows no descriptors.
		if !serves(proc, number) && !(Dying(id) && serves(proc+"/task/*", number)) {
			continue
		}
		if pid, dying, found = id, Dying(id), true; !dying {
			return pid, dying, found
		}
	}
	return pid, dying, found
}

// serves reports whether one of the descriptors of a process is of a connection. Most of them are of other files, which
// their links tell at a fifth of the cost.
func serves(proc, number string) bool {
	paths, _ := filepath.Glob(proc + "/fd/*")
	for _, path := range paths {
		if to, err := os.Readlink(path); err != nil || !strings.HasSuffix(to, "/fuse") {
			continue
		}
		info, _ := os.ReadFile(strings.Replace(path, "/fd/", "/fdinfo/", 1)) // it may be closed
		for line := range strings.Lines(string(info)) {
			if name, value, _ := strings.Cut(line, ":"); name == "fuse_connection" && strings.TrimSpace(value) == number {
				return true
			}
		}
	}
	return false
}
