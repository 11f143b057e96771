package config

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/profile"
)

// onlyOfCalls are flags for one invocation, which are not settings.
var onlyOfCalls = []string{"help", "config", "daemon", "option", "sloppy"}

// neverEmpty are settings for which an empty value is a mistake, such as an unset variable. For
// other settings it means the default.
var neverEmpty = append([]string{"password_command"}, Paths...)

// VisitSettings visits the flags that are settings.
func VisitSettings(flags *pflag.FlagSet, visit func(*pflag.Flag)) {
	flags.VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(onlyOfCalls, f.Name) {
			visit(f)
		}
	})
}

// Resolve sets each setting to its value. An empty name means no profile.
func (c *Config) Resolve(flags *pflag.FlagSet, name string) error {
	c.profile, c.Sources = &profile.Profile{}, map[string]source{}
	p, err := c.profileNamed(flags, name)
	if err != nil {
		return &cli.UsageError{Err: err}
	}
	c.profile = p
	VisitSettings(flags, func(f *pflag.Flag) {
		from, failed := c.settleOne(f)
		if failed == nil && from.Rank > ByDefault && slices.Contains(neverEmpty, KeyOf(f.Name)) && f.Value.String() == "" {
			failed = fmt.Errorf("%s is empty: give a value, or leave it out", from.Name)
		}
		c.Sources[KeyOf(f.Name)] = from
		if err == nil {
			err = failed
		}
	})
	if err == nil {
		err = c.settlePassword()
	}
	if err != nil {
		return &cli.UsageError{Err: err}
	}
	return nil
}

// ResolveAll is Resolve for a command that has only some flags of mount.
func (c *Config) ResolveAll(flags *pflag.FlagSet, name string) error {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, group := range MountFlags(c) {
		group.VisitAll(func(f *pflag.Flag) {
			if own := flags.Lookup(f.Name); own != nil {
				f = own
			}
			all.AddFlag(f)
		})
	}
	return c.Resolve(all, name)
}

// HasProfile reports whether a word is the name of a profile.
func (c *Config) HasProfile(name string) bool {
	f, err := profile.Load(c.ProfileFile())
	return err == nil && slices.Contains(f.Names(), name)
}

// profileNamed returns a profile, and refuses unknown keys. A file given by --config must be valid even if no profile
// is used.
func (c *Config) profileNamed(flags *pflag.FlagSet, name string) (*profile.Profile, error) {
	if name == "" && c.ConfigFile == "" {
		return &profile.Profile{}, nil
	}
	f, err := profile.Load(c.ProfileFile())
	if err != nil {
		return nil, err
	}
	if name == "" {
		return &profile.Profile{}, nil
	}
	p, err := f.Profile(name)
	if err != nil {
		return nil, err
	}
	known := []string{profile.PasswordKey}
	VisitSettings(flags, func(f *pflag.Flag) { known = append(known, KeyOf(f.Name)) })
	for key := range p.Settings {
		if slices.Contains(known, key) {
			continue
		}
		advice := "paperfs config show lists all"
		if near := profile.Nearest(KeyOf(key), known); near != "" {
			advice = "did you mean " + near + "?"
		}
		return nil, p.Errorf(key, "there is no such setting: %s", advice)
	}
	return p, nil
}

func (c *Config) settleOne(f *pflag.Flag) (source, error) {
	variable, key := VariableOf(f.Name), KeyOf(f.Name)
	written, there := c.profile.Settings[key]
	switch text := os.Getenv(variable); {
	case f.Changed:
		return source{onLine, "--" + f.Name}, nil
	case text != "":
		err := setFlag(f, text)
		if err != nil {
			err = fmt.Errorf("%s is %q: %w", variable, text, err)
		}
		return source{inEnvironment, variable}, err
	case there:
		err := checkType(f, written.Value)
		if err == nil {
			err = setFlag(f, c.seenFromFile(key, written.Value))
		}
		if err != nil {
			err = c.profile.Errorf(key, "%v", err)
		}
		return source{inProfile, c.profile.At(key)}, err
	}
	return source{ByDefault, "default"}, nil
}
