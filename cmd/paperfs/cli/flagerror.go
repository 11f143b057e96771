package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// Wants says what value a flag takes, by its pflag type.
func Wants(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "int", "int64":
		return "a whole number"
	case "uint64":
		return "a whole number from 0 up"
	case "duration":
		return `a time with its unit, such as "90s" or "5m"`
	case "stringSlice", "stringArray":
		return "a list of texts"
	}
	return "a text in quotes"
}

// FlagError says what is wrong with a flag's value; pflag returns the parser's error.
func FlagError(err error) error {
	bad, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	return fmt.Errorf("--%s %q: give %s", bad.GetFlag().Name, bad.GetValue(), Wants(bad.GetFlag()))
}
