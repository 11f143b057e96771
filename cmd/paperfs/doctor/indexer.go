package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prometheus/procfs"

	"paperfs/fs/mountpoint"
	"paperfs/remote/shellword"
)

// Indexers checks for programs that read everything that is mounted, which costs
// requests.
type Indexers struct {
	Root       string          // of the file system; "/" except in tests
	Mountpoint string          // absolute; "" if none was given
	Visible    bool            // root, as which updatedb runs, can read the mount
	Running    func() []string // names of the running processes
}

// Checks returns the checks for such programs.
func (i Indexers) Checks() []Check {
	return []Check{one("updatedb", i.updatedb), one("indexers", i.desktop)}
}

const updatedbConf = "/etc/updatedb.conf"

// updatedb checks updatedb, which fills the database of locate each night.
func (i Indexers) updatedb() Finding {
	text, err := os.ReadFile(filepath.Join(i.Root, updatedbConf))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fine("is not set up (no %s)", updatedbConf)
	case err != nil:
		return warning("", "%s cannot be read: %v", updatedbConf, err)
	}
	var pruned []string
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, "="); found && strings.TrimSpace(name) == "PRUNEFS" {
			pruned = strings.Fields(strings.Trim(strings.TrimSpace(value), `"`))
		}
	}
	switch {
	case slices.Contains(pruned, mountpoint.Type):
		return fine("skips mounts of paperfs")
	case !i.Visible:
		return fine("runs as root, which cannot look into your mounts")
	}
	return warning(`Run as root: sed -i 's/^PRUNEFS *= *"/&`+mountpoint.Type+` /' `+updatedbConf,
		"searches mounts of paperfs: PRUNEFS in %s lacks %s", updatedbConf, mountpoint.Type)
}

// desktopIndexers are desktop programs that read the content of all files in the home
// directory. The key is the process name, the value the command that excludes a
// directory.
var desktopIndexers = map[string]string{
	"tracker-miner-f": "gsettings set org.freedesktop.Tracker3.Miner.Files ignored-directories \"['DIR']\"",
	"localsearch-3":   "gsettings set org.freedesktop.Tracker3.Miner.Files ignored-directories \"['DIR']\"",
	"baloo_file":      "balooctl6 config add excludeFolders DIR",
	"recollindex":     "echo 'skippedPaths = DIR' >> ~/.recoll/recoll.conf",
}

func (i Indexers) desktop() Finding {
	for _, name := range i.Running() {
		leaveOut, known := desktopIndexers[name]
		if !known {
			continue
		}
		dir := "DIR"
		if i.Mountpoint != "" {
			dir = shellword.Quote(i.Mountpoint)
		}
		return warning("If the mount is among what it indexes, run: "+strings.ReplaceAll(leaveOut, "DIR", dir),
			"%s is running; it reads the content of all files that it is set to index", name)
	}
	return fine("no desktop indexer is running")
}

// running returns the names of the running processes.
func running() (names []string) {
	processes, _ := procfs.AllProcs()
	for _, p := range processes {
		if name, err := p.Comm(); err == nil {
			names = append(names, name)
		}
	}
	return names
}
