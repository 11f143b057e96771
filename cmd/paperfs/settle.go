package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"paperfs/cmd/paperfs/profile"
	"paperfs/cmd/paperfs/usage"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"
)

// What a mount is told comes from its flags, else from the environment, else
// from a profile, else from the defaults. The flags of mount are the list of what
// there is: --tree-ttl is PAPERFS_TREE_TTL in the environment and tree_ttl in a
// profile. pflag parses all three, so a library of configuration has nothing to
// do between them; and none tells where a value came from.

// rank is which of these places a value comes from.
type rank int

const (
	byDefault rank = iota
	inProfile
	inEnvironment
	onLine
)

// source is where a value comes from, as people are told.
type source struct {
	rank rank
	name string // --rpm, PAPERFS_RPM, /home/me/.config/paperfs/config.toml:4, default
}

// onlyOfCalls are flags that are about one call, and so no settings.
var onlyOfCalls = []string{"help", "config", "daemon", "option", "sloppy"}

// paths are the settings that name a file. In a profile they are relative to its
// file, and may begin with ~/.
var paths = []string{"data", "ca_file", "password_file", "log_file"}

// neverEmpty are the settings for which an empty value is a mistake: a variable that is not
// set, say. Elsewhere it stands for the default.
var neverEmpty = append([]string{"password_command"}, paths...)

// variableOf and keyOf are the names of a flag's setting elsewhere.
func variableOf(flag string) string { return "PAPERFS_" + strings.ToUpper(keyOf(flag)) }

func keyOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// settings visits the flags that are settings.
func settings(flags *pflag.FlagSet, visit func(*pflag.Flag)) {
	flags.VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(onlyOfCalls, f.Name) {
			visit(f)
		}
	})
}

// settle gives each setting its value. The empty name stands for no profile.
func (c *Config) settle(flags *pflag.FlagSet, name string) error {
	c.profile, c.sources = &profile.Profile{}, map[string]source{}
	p, err := c.profileNamed(flags, name)
	if err != nil {
		return &usage.Error{Err: err}
	}
	c.profile = p
	settings(flags, func(f *pflag.Flag) {
		from, failed := c.settleOne(f)
		if failed == nil && from.rank > byDefault && slices.Contains(neverEmpty, keyOf(f.Name)) && f.Value.String() == "" {
			failed = fmt.Errorf("%s is empty: give a value, or leave it out", from.name)
		}
		c.sources[keyOf(f.Name)] = from
		if err == nil {
			err = failed
		}
	})
	if err == nil {
		err = c.settlePassword()
	}
	if err != nil {
		return &usage.Error{Err: err}
	}
	return nil
}

// settleAll is settle for a command that has only some of the flags of mount.
func (c *Config) settleAll(flags *pflag.FlagSet, name string) error {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, group := range mountFlags(c) {
		group.VisitAll(func(f *pflag.Flag) {
			if own := flags.Lookup(f.Name); own != nil {
				f = own
			}
			all.AddFlag(f)
		})
	}
	return c.settle(all, name)
}

// hasProfile reports whether a word is the name of a profile.
func (c *Config) hasProfile(name string) bool {
	f, err := profile.Load(c.configFile())
	return err == nil && slices.Contains(f.Names(), name)
}

// profileNamed is a profile whose keys are all known.
func (c *Config) profileNamed(flags *pflag.FlagSet, name string) (*profile.Profile, error) {
	if name == "" {
		return &profile.Profile{}, nil
	}
	f, err := profile.Load(c.configFile())
	if err != nil {
		return nil, err
	}
	p, err := f.Profile(name)
	if err != nil {
		return nil, err
	}
	known := []string{profile.PasswordKey}
	settings(flags, func(f *pflag.Flag) { known = append(known, keyOf(f.Name)) })
	for key := range p.Settings {
		if slices.Contains(known, key) {
			continue
		}
		advice := "paperfs config show lists all"
		if near := profile.Nearest(keyOf(key), known); near != "" {
			advice = "is it " + near + "?"
		}
		return nil, p.Errorf(key, "there is no such setting: %s", advice)
	}
	return p, nil
}

// configFile is the file of profiles.
func (c *Config) configFile() string {
	switch file := os.Getenv("PAPERFS_CONFIG"); {
	case c.ConfigFile != "":
		return c.ConfigFile
	case file != "":
		return file
	}
	return profile.DefaultPath()
}

func (c *Config) settleOne(f *pflag.Flag) (source, error) {
	variable, key := variableOf(f.Name), keyOf(f.Name)
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
	return source{byDefault, "default"}, nil
}

// checkType refuses what a flag would read as something else: TOML has numbers and
// booleans of its own.
func checkType(f *pflag.Flag, value any) error {
	_, isText := value.(string)
	_, isBool := value.(bool)
	switch kind := f.Value.Type(); {
	case kind == "bool" && !isBool:
		return errors.New(wanted[kind] + ", without quotes")
	case (kind == "int" || kind == "int64") && isText:
		return errors.New(wanted[kind] + ", without quotes")
	}
	return nil
}

// setFlag gives a flag a value of the environment or of a profile.
func setFlag(f *pflag.Flag, value any) error {
	kind := f.Value.Type()
	texts, isList := value.([]string)
	text, isText := value.(string)
	if list, ok := f.Value.(pflag.SliceValue); ok {
		if isText {
			texts = strings.Split(text, ",")
		} else if !isList {
			return errors.New(wanted[kind])
		}
		return list.Replace(texts)
	}
	if isList || kind == "string" && !isText || f.Value.Set(fmt.Sprint(value)) != nil {
		return errors.New(wanted[kind])
	}
	return nil
}

// wanted says what a flag takes, by its type.
var wanted = map[string]string{
	"bool": "give true or false", "int": "give a number", "int64": "give a number", "string": "give a text in quotes",
	"duration": `give a time with its unit, such as "90s" or "5m"`, "stringSlice": "give a list of texts", "stringArray": "give a list of texts",
}

// seenFromFile is a value of a profile, where it is a path without ~/ and absolute.
func (c *Config) seenFromFile(key string, value any) any {
	path, ok := value.(string)
	if !ok || path == "" || !slices.Contains(paths, key) || key == "log_file" && path == journal {
		return value
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(xdg.Home, rest)
	}
	if !filepath.IsAbs(path) {
		return filepath.Join(filepath.Dir(c.configFile()), path)
	}
	return path
}

// settlePassword takes the password from the first place that tells one: there
// are several ways to tell it, and one of the profile must not win over another
// of the environment.
func (c *Config) settlePassword() error {
	c.Password, c.sources[profile.PasswordKey] = os.Getenv("PAPERFS_PASSWORD"), source{byDefault, "default"}
	if c.Password != "" {
		c.sources[profile.PasswordKey] = source{inEnvironment, "PAPERFS_PASSWORD"}
	} else if s, there := c.profile.Settings[profile.PasswordKey]; there {
		var ok bool
		if c.Password, ok = s.Value.(string); !ok {
			return c.profile.Errorf(profile.PasswordKey, "%s", wanted["string"])
		}
		c.sources[profile.PasswordKey] = source{inProfile, c.profile.At(profile.PasswordKey)}
	}
	var ways []string
	for _, key := range passwordKeys {
		switch from := c.sources[key]; {
		case from.rank == byDefault || key == "keyring" && !c.Keyring || len(ways) > 0 && from.rank < c.sources[ways[0]].rank:
		case len(ways) == 0 || from.rank > c.sources[ways[0]].rank:
			ways = []string{key}
		default:
			ways = append(ways, key)
		}
	}
	if len(ways) > 1 {
		return fmt.Errorf("%s and %s are both set: set one", c.nameOf(ways[0]), c.nameOf(ways[1]))
	}
	for _, key := range passwordKeys {
		if !slices.Contains(ways, key) && c.sources[key].rank != byDefault {
			c.forgetPassword(key)
		}
	}
	return nil
}

// passwordKeys are the settings of which one tells the password.
var passwordKeys = []string{profile.PasswordKey, "password_file", "password_command", "keyring"}

func (c *Config) forgetPassword(key string) {
	switch c.sources[key] = (source{byDefault, "default"}); key {
	case profile.PasswordKey:
		c.Password = ""
	case "password_file":
		c.PasswordFile = ""
	case "password_command":
		c.PasswordCommand = ""
	case "keyring":
		c.Keyring = false
	}
}

// nameOf is a setting as the user knows it: by where it comes from, or where it
// may be set.
func (c *Config) nameOf(key string) string {
	switch from := c.sources[key]; {
	case from.rank == inProfile:
		return fmt.Sprintf("%s of profile %s (%s)", key, c.profile.Name, from.name)
	case from.rank != byDefault:
		return from.name
	case c.profile != nil && c.profile.Name != "":
		return fmt.Sprintf("%s of profile %s", key, c.profile.Name)
	}
	return variableOf(key)
}
