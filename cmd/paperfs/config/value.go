package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/systemd"
)

// Paths are the settings that name a file. In a profile they are relative to its directory,
// and may begin with ~/.
var Paths = []string{"data", "ca_file", "password_file", "log_file"}

// checkType refuses values that a flag would parse differently: TOML has its own numbers and
// booleans.
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

// setFlag sets a flag to a value from the environment or a profile.
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

// wanted says what value a flag of a type takes.
var wanted = map[string]string{
	"bool": "give true or false", "int": "give a number", "int64": "give a number", "string": "give a text in quotes",
	"duration": `give a time with its unit, such as "90s" or "5m"`, "stringSlice": "give a list of texts", "stringArray": "give a list of texts",
}

// seenFromFile returns a value of a profile, with paths made absolute and ~/ expanded.
func (c *Config) seenFromFile(key string, value any) any {
	path, ok := value.(string)
	if !ok || path == "" || !slices.Contains(Paths, key) || key == "log_file" && path == systemd.Journal {
		return value
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(xdg.Home, rest)
	}
	if !filepath.IsAbs(path) {
		return filepath.Join(filepath.Dir(c.ProfileFile()), path)
	}
	return path
}
