package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/profile"

	"github.com/spf13/pflag"
)

// Options as in mount(8) and /etc/fstab: `-o ro,allow_other,tree_ttl=10m`. Each flag of mount
// except --daemon is also an option.

// kernelOptions are options of any mount, which paperfs passes on.
var kernelOptions = []string{"noexec", "nosuid", "nodev"}

// othersOptions are for mount(8), systemd and others, or describe a mount's default.
var othersOptions = []string{
	"rw", "auto", "noauto", "user", "nouser", "users", "owner", "group", "nofail", "_netdev", "defaults", "comment", "loop",
	"exec", "suid", "dev", "sync", "dirsync", "async", "atime", "noatime", "diratime", "nodiratime", "relatime", "norelatime", "strictatime", "nostrictatime", "lazytime", "nolazytime",
	"mand", "nomand", "iversion", "noiversion", "silent", "loud", "default_permissions", "nonempty", "fsname", "subtype", "setuid",
}

// TakeOptions sets the flags that options name, as if they were given. With sloppy it ignores
// unknown options.
func (c *Config) TakeOptions(flags *pflag.FlagSet, sloppy bool) error {
	var all []string
	for _, option := range c.Options {
		all = append(all, splitOptions(option)...)
	}
	if slices.Contains(all, "ro") && slices.Contains(all, "rw") {
		return &cli.UsageError{Err: errors.New("-o has both ro and rw: give one of them")}
	}
	for _, option := range c.Options {
		for _, one := range splitOptions(option) {
			if err := c.takeOption(flags, one, sloppy); err != nil {
				return &cli.UsageError{Err: fmt.Errorf("-o %s: %w", withoutPassword(one), err)}
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
		c.KernelOptions = append(c.KernelOptions, name)
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
		VisitSettings(flags, func(f *pflag.Flag) { known = append(known, KeyOf(f.Name)) })
		if near := profile.Nearest(KeyOf(name), known); near != "" {
			return fmt.Errorf("unknown option: did you mean %s?", near)
		}
		return errors.New("unknown option: the options are the flags of paperfs mount --help, except --daemon")
	}
	if !given {
		value = f.NoOptDefVal
	}
	if !given && value == "" || flags.Set(f.Name, value) != nil {
		return errors.New("give " + cli.Wants(f))
	}
	return nil
}

func isPassword(option string) bool {
	return slices.Contains([]string{"password", "passwd", "pass"}, option)
}

// withoutPassword returns an option in a form that is safe to print.
func withoutPassword(option string) string {
	if name, _, _ := strings.Cut(option, "="); isPassword(name) {
		return name
	}
	return option
}

// splitOptions splits text at commas outside of double quotes, and removes the quotes, as
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
