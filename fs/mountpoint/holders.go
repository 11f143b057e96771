package mountpoint

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/prometheus/procfs"
)

// Holder is a process that keeps a mount busy.
type Holder struct {
	PID     int
	Command string // as in /proc/PID/comm
	Use     Use
	Path    string // the path that it holds, below the mount point
}

// Use is how a process holds a path.
type Use string

// The kinds of use.
const (
	workingDir Use = "working directory"
	rootDir    Use = "root directory"
	openFile   Use = "open file"
	mappedFile Use = "mapped file"

	namespaceUse Use = "a mount namespace that shows it at"
)

func (h Holder) String() string {
	return fmt.Sprintf("%s (process %d): %s %s", h.Command, h.PID, h.Use, h.Path)
}

// patience bounds the look at one process: reading /proc of a process in the middle of an exec can
// block until the exec continues, which may wait for the mount. The whole scan has no limit, because
// it takes long where many programs run.
const patience = 2 * time.Second

// Holders returns the processes that keep a mount busy: those that have a file of it open
// or mapped, or use one of its directories as working or root directory. It returns what it
// has found once a process blocks it for two seconds, with one use for each process, and leaves
// out this process. dir is the absolute path by which the kernel knows the mount. Only root sees
// processes of other users.
//
// It reads links and tables in /proc and never a path of the mount itself.
func Holders(dir string) []Holder {
	looked := make(chan *Holder) // nil for a process that does not hold the mount
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(looked)
		processes, _ := procfs.AllProcs()
		for _, p := range processes {
			var found *Holder
			if h, ok := holder(p, dir); ok {
				found = &h
			}
			select {
			case looked <- found:
			case <-stop:
				return
			}
		}
	}()
	var all []Holder
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		select {
		case h, more := <-looked:
			if !more {
				return all
			}
			if h != nil {
				all = append(all, *h)
			}
			limit.Reset(patience)
		case <-limit.C:
			return all
		}
	}
}

func holder(p procfs.Proc, dir string) (Holder, bool) {
	if p.PID == os.Getpid() {
		return Holder{}, false
	}
	use, path, ok := firstUse(p, dir)
	if !ok {
		return Holder{}, false
	}
	comm, err := p.Comm()
	return Holder{PID: p.PID, Command: comm, Use: use, Path: path}, err == nil // otherwise it has just ended
}

func firstUse(p procfs.Proc, dir string) (Use, string, bool) {
	if path, err := p.Cwd(); err == nil && below(dir, path) {
		return workingDir, path, true
	}
	if path, err := p.RootDir(); err == nil && below(dir, path) {
		return rootDir, path, true
	}
	open, _ := p.FileDescriptorTargets()
	for _, path := range open {
		if below(dir, path) {
			return openFile, path, true
		}
	}
	path, mapped := firstMapped(p.PID, dir)
	return mappedFile, path, mapped
}

// firstMapped returns the first file below dir that a process has mapped. (procfs folds
// blanks in the names of mapped files.)
func firstMapped(pid int, dir string) (string, bool) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(string(maps)) {
		line = strings.TrimSuffix(line, "\n")
		if i := strings.IndexByte(line, '/'); i >= 0 && below(dir, line[i:]) {
			return line[i:], true
		}
	}
	return "", false
}

func below(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
