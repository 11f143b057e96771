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
		if descriptors := "/fdinfo/*"; !serves(proc+descriptors, number) && !(Dying(id) && serves(proc+"/task/*"+descriptors, number)) {
			continue
		}
		if pid, dying, found = id, Dying(id), true; !dying {
			return pid, dying, found
		}
	}
	return pid, dying, found
}

// serves reports whether one of the descriptors is of a connection.
func serves(descriptors, number string) bool {
	paths, _ := filepath.Glob(descriptors)
	for _, path := range paths {
		info, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(info)) {
			if name, value, _ := strings.Cut(line, ":"); name == "fuse_connection" && strings.TrimSpace(value) == number {
				return true
			}
		}
	}
	return false
}
