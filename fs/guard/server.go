package guard

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Server finds the process that serves the mount of a device "MAJOR:MINOR": who
// has its connection open. Linux tells that from 6.16 on, of processes that this
// one may look at. dying is Dying.
func Server(device string) (pid int, dying, found bool) {
	_, number, _ := strings.Cut(device, ":")
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, proc := range processes {
		id, err := strconv.Atoi(filepath.Base(proc))
		if err != nil {
			continue
		}
		// The first thread of one that was killed has ended, and has nothing open.
		if descriptors := "/fdinfo/*"; !serves(proc+descriptors, number) && !(Dying(id) && serves(proc+"/task/*"+descriptors, number)) {
			continue
		}
		if pid, dying, found = id, Dying(id), true; !dying {
			return pid, dying, found
		}
	}
	return pid, dying, found
}

// serves reports whether a descriptor is of a connection.
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
