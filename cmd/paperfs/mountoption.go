package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"paperfs/cmd/paperfs/aside"
	"paperfs/cmd/paperfs/profile"
	"paperfs/cmd/paperfs/usage"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Options as mount(8) and /etc/fstab have them: `-o ro,allow_other,tree_ttl=10m`.
// Each flag of mount is one.

// kernelOptions are those of any mount that are passed on.
var kernelOptions = []string{"noexec", "nosuid", "nodev"}

// othersOptions are for mount(8), systemd and others, or are how a mount is anyway.
var othersOptions = []string{
	"rw", "auto", "noauto", "user", "nouser", "users", "owner", "group", "nofail", "_netdev", "defaults", "comment", "loop",
	"exec", "suid", "dev", "sync", "dirsync", "async", "atime", "noatime", "diratime", "nodiratime", "relatime", "norelatime", "strictatime", "nostrictatime", "lazytime", "nolazytime",
	"mand", "nomand", "iversion", "noiversion", "silent", "loud", "default_permissions", "nonempty", "fsname", "subtype", "setuid",
}

// takeOptions sets the flags that options stand for, as if they were given. With
// sloppy it leaves out what it does not know.
func (c *Config) takeOptions(flags *pflag.FlagSet, sloppy bool) error {
	var all []string
	for _, option := range c.Options {
		all = append(all, splitOptions(option)...)
	}
	if slices.Contains(all, "ro") && slices.Contains(all, "rw") {
		return &usage.Error{Err: errors.New("-o has both ro and rw: give one of them")}
	}
	for _, option := range c.Options {
		for _, one := range splitOptions(option) {
			if err := c.takeOption(flags, one, sloppy); err != nil {
				return &usage.Error{Err: fmt.Errorf("-o %s: %w", withoutPassword(one), err)}
			}
		}
	}
	return nil
}

func (c *Config) takeOption(flags *pflag.FlagSet, option string, sloppy bool) error {
	name, value, given := strings.Cut(option, "=")
	switch {
	case name == "", strings.HasPrefix(name, "x-"), strings.HasPrefix(name, "X-"), slices.Contains(othersOptions, name):
		return nil
	case slices.Contains(kernelOptions, name):
		c.kernelOptions = append(c.kernelOptions, name)
		return nil
	case name == "ro":
		name = "read_only"
	}
	if isPassword(name) {
		return errors.New("a password cannot be an option, because all users can see it; see: paperfs help profiles")
	}
	f := flags.Lookup(strings.ReplaceAll(name, "_", "-"))
	if f == nil || slices.Contains([]string{"help", "option", "daemon"}, f.Name) {
		if sloppy {
			return nil
		}
		known := slices.Concat(kernelOptions, othersOptions)
		settings(flags, func(f *pflag.Flag) { known = append(known, keyOf(f.Name)) })
		if near := profile.Nearest(keyOf(name), known); near != "" {
			return fmt.Errorf("unknown option: did you mean %s?", near)
		}
		return errors.New("unknown option: each flag of paperfs mount --help is an option")
	}
	if !given {
		if value = f.NoOptDefVal; value == "" {
			return fmt.Errorf("%s", wanted[f.Value.Type()])
		}
	}
	if flags.Set(f.Name, value) != nil {
		return errors.New(wanted[f.Value.Type()])
	}
	return nil
}

func isPassword(option string) bool {
	return slices.Contains([]string{"password", "passwd", "pass"}, option)
}

// withoutPassword is an option as it may be shown.
func withoutPassword(option string) string {
	if name, _, _ := strings.Cut(option, "="); isPassword(name) {
		return name
	}
	return option
}

// splitOptions splits at commas outside of double quotes, which it drops, as
// mount(8) does.
func splitOptions(text string) (all []string) {
	var b strings.Builder
	quoted := false
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case r == ',' && !quoted:
			all = append(all, b.String())
			b.Reset()
		default:
			b.WriteRune(r)
		}
	}
	return append(all, b.String())
}

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
	if isInternal(first(args)) {
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
	return word == aside.Argument || word == daemonArgument || slices.ContainsFunc(newRootCommand(NewConfig()).Commands(), func(cmd *cobra.Command) bool {
		return cmd.Hidden && cmd.Name() == word
	})
}

func isCommand(word string) bool {
	for _, cmd := range newRootCommand(NewConfig()).Commands() {
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
	case exitOK:
		return code
	case exitUsage:
		return mountUsage
	}
	return mountFailed
}
