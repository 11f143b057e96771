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
	own, _ := os.Readlink("/proc/self/ns/mnt")
	seen := map[string]bool{own: true}
	processes, _ := procfs.AllProcs()
	for _, p := range processes {
		dir := "/proc/" + strconv.Itoa(p.PID)
		namespace, err := os.Readlink(dir + "/ns/mnt")
		if err != nil || seen[namespace] {
			continue
		}
		seen[namespace] = true
		at, found := shownAt(dir+"/mountinfo", device)
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
		if len(Holders(k.Path)) > 0 {
			return false
		}
	}
	return len(kept) > 0
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
