package main

import (
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/mount"
	"paperfs/cmd/paperfs/serving"
)

// helperNames are the names by which mount(8) runs this program.
var helperNames = []string{"mount.paperfs", "mount.fuse.paperfs"}

// Exit codes of mount(8).
const (
	mountUsage  = 1
	mountFailed = 32
)

// asMountHelper returns the mount command line if mount(8) runs this program: as
// mount.paperfs SOURCE DIR [-o OPTIONS], or through mount.fuse as paperfs SOURCE DIR -o
// OPTIONS. fake means that mount(8) wants no mount, only the check of its arguments.
func asMountHelper(self string, args []string) (line []string, fake, ok bool) {
	if first := cli.First(args); first == serving.InsideArgument || first == mount.DaemonArgument { // paperfs runs itself
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

// asSource returns the arguments for the profile and the mount point. A source may also be
// the address of the service, or a placeholder.
func asSource(places []string) []string {
	if len(places) == 1 && !strings.HasPrefix(places[0], "-") {
		return nil // a missing directory is an error, and does not mean the embedded service
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

func isCommand(word string) bool {
	for _, cmd := range newRootCommand(config.New()).Commands() {
		if cmd.Name() == word || cmd.HasAlias(word) {
			return true
		}
	}
	return word == "help" || word == "completion"
}

// completeEnvironment sets HOME, where profiles and state are, and PATH, where fusermount3 is: mount(8), cron
// and the boot process leave them out.
func completeEnvironment() {
	if os.Getenv("HOME") == "" {
		if me, err := user.Current(); err == nil {
			os.Setenv("HOME", me.HomeDir)
		}
	}
	if os.Getenv("PATH") == "" {
		os.Setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
	}
}

// mountExitCode converts an exit code to one of mount(8).
func mountExitCode(code int) int {
	switch code {
	case cli.ExitOK:
		return code
	case cli.ExitUsage:
		return mountUsage
	}
	return mountFailed
}
