package config

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/profile"
)

// rank orders the sources of a value: a flag, or else the environment, or else a profile, or else the
// default.
type rank int

const (
	byDefault rank = iota
	inProfile
	inEnvironment
	onLine
)

// source is where a value comes from.
type source struct {
	Rank rank
	Name string // --rpm, PAPERFS_RPM, /home/me/.config/paperfs/config.toml:4, default
}

// VariableOf and KeyOf return the names of a flag's setting in the environment and in a profile.
func VariableOf(flag string) string { return "PAPERFS_" + strings.ToUpper(KeyOf(flag)) }

func KeyOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// NameOf returns a setting's name as the user knows it: by its source, or by where it can be
// set.
func (c *Config) NameOf(key string) string {
	switch from := c.Sources[key]; {
	case from.Rank == inProfile:
		return fmt.Sprintf("%s of profile %s (%s)", key, c.profile.Name, from.Name)
	case from.Rank != byDefault:
		return from.Name
	case c.profile != nil && c.profile.Name != "":
		return fmt.Sprintf("%s of profile %s", key, c.profile.Name)
	}
	return VariableOf(key)
}

// VisitSettings visits the flags that are settings.
func VisitSettings(flags *pflag.FlagSet, visit func(*pflag.Flag)) {
	flags.VisitAll(func(f *pflag.Flag) {
		if rowOf(f) != "" { // it is a setting, and not for one call of a command
			visit(f)
		}
	})
}

// settings returns the settings by key, with the flags of a command that has some of them, and with the
// password.
func (c *Config) settings(flags *pflag.FlagSet) map[string]*pflag.Flag {
	all := map[string]*pflag.Flag{}
	hidden := cli.FlagGroup("", func(f *pflag.FlagSet) { f.StringVar(&c.Password, profile.PasswordKey, "", "") })
	for _, group := range append(flagsOf(c), hidden) {
		group.VisitAll(func(f *pflag.Flag) {
			if own := flags.Lookup(f.Name); own != nil {
				f = own
			}
			all[KeyOf(f.Name)] = f
		})
	}
	return all
}

// Resolve sets each setting to its value. flags are those of the command. An empty name means no profile.
func (c *Config) Resolve(flags *pflag.FlagSet, name string) error {
	c.profile, c.Sources = &profile.Profile{}, map[string]source{}
	all := c.settings(flags)
	p, err := c.profileNamed(name, slices.Sorted(maps.Keys(all)))
	if err := cmp.Or(err, unknownVariable(os.Environ(), all)); err != nil {
		return &cli.UsageError{Err: err}
	}
	c.profile = p
	for _, key := range slices.Sorted(maps.Keys(all)) {
		from, failed := c.resolveOne(all[key])
		if failed == nil && from.Rank > byDefault && neverEmpty(all[key]) && all[key].Value.String() == "" {
			failed = fmt.Errorf("%s is empty: give a value, or leave it out", from.Name)
		}
		c.Sources[key] = from
		err = cmp.Or(err, failed)
	}
	if err == nil {
		err = c.resolvePassword(all)
	}
	if err != nil {
		return &cli.UsageError{Err: err}
	}
	return nil
}

// otherVariables begin like settings, and are for something else: the name of a file, a program's secret, tests and scripts.
var otherVariables = []string{"PAPERFS_CONFIG", "PAPERFS_WEBHOOK_SECRET", "PAPERFS_BIN", "PAPERFS_SOAK"}

// unknownVariable names a variable of the environment that looks like a setting and is none: a mount that ignores a misspelt
// PAPERFS_READ_ONLY can be written to.
func unknownVariable(environment []string, settings map[string]*pflag.Flag) error {
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		setting, is := strings.CutPrefix(name, "PAPERFS_")
		if !is || value == "" || strings.HasPrefix(setting, "TEST") || slices.Contains(otherVariables, name) || settings[strings.ToLower(setting)] != nil {
			continue
		}
		advice := "unset it; paperfs config show lists the settings"
		if near := profile.Nearest(strings.ToLower(setting), slices.Sorted(maps.Keys(settings))); near != "" {
			advice = "did you mean " + VariableOf(near) + "?"
		}
		return fmt.Errorf("the variable %s is set, but there is no such setting: %s", name, advice)
	}
	return nil
}

// HasProfile reports whether a word is the name of a profile.
func (c *Config) HasProfile(name string) bool {
	f, err := profile.Load(c.ProfileFile())
	return err == nil && slices.Contains(f.Names(), name)
}

// profileNamed returns a profile, and refuses unknown keys. A file given by --config must be valid even if no profile
// is used.
func (c *Config) profileNamed(name string, known []string) (*profile.Profile, error) {
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

func (c *Config) resolveOne(f *pflag.Flag) (source, error) {
	variable, key := VariableOf(f.Name), KeyOf(f.Name)
	written, there := c.profile.Settings[key]
	switch text := os.Getenv(variable); {
	case f.Changed:
		return source{onLine, "--" + f.Name}, nil
	case text != "":
		err := setText(f, text)
		if err != nil {
			err = fmt.Errorf("%s is %q: %w", variable, text, err)
		}
		return source{inEnvironment, variable}, err
	case there:
		err := setFromProfile(f, written.Value, filepath.Dir(c.ProfileFile()))
		if err != nil {
			err = c.profile.Errorf(key, "%v", err)
		}
		return source{inProfile, c.profile.At(key)}, err
	}
	return source{byDefault, "default"}, nil
}
