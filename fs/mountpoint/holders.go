package mountpoint

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Holder is a process that keeps a mount busy.
type Holder struct {
	PID     int
	Command string // as in /proc/PID/comm
	Use     Use
	Path    string // what it holds, below the mount point
}

// Use is how a process holds a path.
type Use string

// The uses.
const (
	workingDir Use = "working directory"
	rootDir    Use = "root directory"
	openFile   Use = "open file"
	mappedFile Use = "mapped file"
)

func (h Holder) String() string {
	return fmt.Sprintf("%s (process %d): %s %s", h.Command, h.PID, h.Use, h.Path)
}

// patience bounds the whole scan: reading the tables of a process that is in
// the middle of an exec can block until the exec goes on, which may wait for
// the mount.
const patience = 2 * time.Second

// Holders are the processes that keep a mount busy: those that have a file of
// it open or mapped, or stand in one of its directories. It gives what it finds
// within two seconds, one use for each process, this one left out. dir is the
// absolute path by which the mount is known to the kernel. Processes of other
// users show only to root.
//
// It reads links and tables in /proc and never a path of the mount itself.
func Holders(dir string) []Holder {
	found := make(chan Holder)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(found)
		for _, pid := range processes() {
			h, ok := holder(pid, dir)
			if !ok {
				continue
			}
			select {
			case found <- h:
			case <-stop:
				return
			}
		}
	}()
	var all []Holder
	limit := time.After(patience)
	for {
		select {
		case h, more := <-found:
			if !more {
				return all
			}
			all = append(all, h)
		case <-limit:
			return all
		}
	}
}

func processes() (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

func holder(pid int, dir string) (Holder, bool) {
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	use, path, ok := firstUse(proc, dir)
	if !ok {
		return Holder{}, false
	}
	comm, err := os.ReadFile(filepath.Join(proc, "comm"))
	if err != nil {
		return Holder{}, false // it has ended meanwhile
	}
	return Holder{PID: pid, Command: strings.TrimSpace(string(comm)), Use: use, Path: path}, true
}

func firstUse(proc, dir string) (Use, string, bool) {
	for _, at := range []struct {
		link string
		use  Use
	}{{"cwd", workingDir}, {"root", rootDir}} {
		if path, err := os.Readlink(filepath.Join(proc, at.link)); err == nil && below(dir, path) {
			return at.use, path, true
		}
	}
	fds, _ := os.ReadDir(filepath.Join(proc, "fd"))
	for _, fd := range fds {
		if path, err := os.Readlink(filepath.Join(proc, "fd", fd.Name())); err == nil && below(dir, path) {
			return openFile, path, true
		}
	}
	maps, err := os.Open(filepath.Join(proc, "maps"))
	if err != nil {
		return "", "", false
	}
	defer maps.Close()
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		if i := strings.IndexByte(lines.Text(), '/'); i >= 0 && below(dir, lines.Text()[i:]) {
			return mappedFile, lines.Text()[i:], true
		}
	}
	return "", "", false
}

func below(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
