package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/cli"
)

// setText sets a setting to a text of the environment or of a profile.
func setText(f *pflag.Flag, text string) error {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.Replace(strings.Split(text, ","))
	}
	if f.Value.Set(text) != nil {
		return errors.New("give " + cli.Wants(f))
	}
	return nil
}

// setFromProfile sets a setting to a value of a profile in dir. TOML has its own numbers and booleans.
func setFromProfile(f *pflag.Flag, value any, dir string) error {
	list, isList := f.Value.(pflag.SliceValue)
	kind := f.Value.Type()
	switch v := value.(type) {
	case []string:
		if isList {
			return list.Replace(v)
		}
	case string:
		if kind == "string" || kind == "duration" || isList {
			if rest, ok := strings.CutPrefix(v, "~/"); ok && isPath(f) {
				v = filepath.Join(xdg.Home, rest)
			}
			return setText(f, Absolute(f, v, dir))
		}
	case bool:
		if kind == "bool" {
			return setText(f, strconv.FormatBool(v))
		}
	default:
		if kind == "int" || kind == "int64" {
			return setText(f, fmt.Sprint(v))
		}
	}
	if kind == "bool" || kind == "int" || kind == "int64" {
		return errors.New("give " + cli.Wants(f) + ", without quotes")
	}
	return errors.New("give " + cli.Wants(f))
}

// Absolute returns a value of a setting: if it is a path, relative to dir.
func Absolute(f *pflag.Flag, value, dir string) string {
	if !isPath(f) || value == "" || filepath.IsAbs(value) || value == cli.Journal && f.Name == "log-file" {
		return value
	}
	return filepath.Join(dir, value)
}
