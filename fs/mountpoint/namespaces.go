package mountpoint

import (
	"os"
	"strconv"

	"github.com/moby/sys/mountinfo"
	"github.com/prometheus/procfs"
)

// InOtherNamespaces returns one process of each other mount namespace that still has a mount of
// the device "MAJOR:MINOR". A namespace that copied the mount (a container's, or a
// service's with its own mounts) keeps it after it is unmounted in this one, and keeps its
// server running. Only root sees namespaces of other users.
func InOtherNamespaces(device string) []Holder {
	var all []Holder
	seen := map[string]bool{namespace(os.Getpid()): true}
	processes, _ := procfs.AllProcs()
	for _, p := range processes {
		its := namespace(p.PID)
		if its == "" || seen[its] {
			continue
		}
		seen[its] = true
		at, found := shownAt("/proc/"+strconv.Itoa(p.PID)+"/mountinfo", device)
		if !found {
			continue
		}
		command, _ := p.Comm()
		all = append(all, Holder{PID: p.PID, Command: command, Use: namespaceUse, Path: at})
	}
	return all
}

// Unused reports whether only other mount namespaces still have an unmounted mount of a
// device, and no program uses it there.
func Unused(device string) bool {
	kept := InOtherNamespaces(device)
	for _, k := range kept {
		for _, h := range Holders(k.Path) {
			if namespace(h.PID) == namespace(k.PID) {
				return false
			}
		}
	}
	return len(kept) > 0
}

// namespace returns the name of a process's mount namespace, "" if it is not to be seen. In
// another one, a path leads to something else.
func namespace(pid int) string {
	name, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/ns/mnt")
	return name
}

// shownAt returns where a table of mounts has a mount of a device.
func shownAt(table, device string) (dir string, found bool) {
	f, err := os.Open(table)
	if err != nil {
		return "", false
	}
	defer f.Close()
	rows, _ := mountinfo.GetMountsFromReader(f, nil)
	for _, m := range mountsOf(rows) {
		if m.Device == device && m.Type == Type {
			return m.Dir, true
		}
	}
	return "", false
}
