package main

import (
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"paperfs/cmd/paperfs/aside"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/exit"
	"paperfs/cmd/paperfs/mount"
	"paperfs/cmd/paperfs/usage"

	"github.com/spf13/cobra"
)

// helperNames are the names under which mount(8) runs this program.
var helperNames = []string{"mount.paperfs", "mount.fuse.paperfs"}

// exit codes of mount(8).
const (
	mountUsage  = 1
	mountFailed = 32
)

// asMountHelper is the command line of a mount where mount(8) runs this program:
// as mount.paperfs SOURCE DIR [-o OPTIONS], or through mount.fuse as paperfs SOURCE
// DIR -o OPTIONS. fake is a mount that is not to be made.
func asMountHelper(self string, args []string) (line []string, fake, ok bool) {
	if isInternal(usage.First(args)) {
		return nil, false, false
	}
	named := slices.Contains(helperNames, filepath.Base(self))
	if at := slices.Index(args, "-o"); !named && (at != 1 && at != 2 || strings.HasPrefix(args[0], "-") || isCommand(args[0])) {
		return nil, false, false
	}
	line = []string{"mount", "--daemon"}
	var places []string
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-o" || arg == "-t" || arg == "-N":
			if i++; arg == "-o" && i < len(args) {
				line = append(line, "-o", args[i])
			}
		case len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], "sfnvwr") == "":
			fake = fake || strings.Contains(arg, "f")
			if strings.Contains(arg, "s") {
				line = append(line, "--sloppy")
			}
			if strings.Contains(arg, "r") {
				line = append(line, "--read-only")
			}
		default:
			places = append(places, arg)
		}
	}
	return append(line, asSource(places)...), fake, true
}

// asSource is the profile and the mount point; a source may also be the address
// of the service, or stand for none.
func asSource(places []string) []string {
	if len(places) == 1 && !strings.HasPrefix(places[0], "-") {
		return nil // without a directory it is an error, not the embedded service
	}
	if len(places) != 2 {
		return places
	}
	source, dir := strings.TrimPrefix(places[0], "paperfs#"), places[1]
	switch {
	case slices.Contains([]string{"", "none", "paperfs"}, source):
		return []string{dir}
	case strings.Contains(source, "://"):
		return []string{"--url", source, dir}
	}
	return []string{source, dir}
}

// isInternal reports whether paperfs itself runs this program with a first
// argument.
func isInternal(word string) bool {
	return word == aside.Argument || word == mount.DaemonArgument || slices.ContainsFunc(newRootCommand(config.New()).Commands(), func(cmd *cobra.Command) bool {
		return cmd.Hidden && cmd.Name() == word
	})
}

func isCommand(word string) bool {
	for _, cmd := range newRootCommand(config.New()).Commands() {
		if cmd.Name() == word || cmd.HasAlias(word) {
			return true
		}
	}
	return word == "help" || word == "completion"
}

// completeEnvironment: mount(8), programs like cron and the start of a system leave out HOME, where
// the profiles and the state are, and PATH, where fusermount3 is.
func completeEnvironment() {
	if me, err := user.Current(); err == nil && os.Getenv("HOME") == "" {
		os.Setenv("HOME", me.HomeDir)
	}
	if os.Getenv("PATH") == "" {
		os.Setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
	}
}

// mountExitCode is an exit code as mount(8) has them.
func mountExitCode(code int) int {
	switch code {
	case exit.OK:
		return code
	case exit.Usage:
		return mountUsage
	}
	return mountFailed
}
