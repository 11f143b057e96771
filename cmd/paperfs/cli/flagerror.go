package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// wants says what value a flag of a pflag type takes.
var wants = map[string]string{
	"int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0 up",
	"duration": "a time such as 30s, 5m or 1h", "bool": "true or false",
}

// FlagError says what is wrong with a flag's value; pflag returns the parser's error.
func FlagError(err error) error {
	bad, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	flag := bad.GetFlag()
	want, ok := wants[flag.Value.Type()]
	if !ok {
		return err
	}
	return fmt.Errorf("--%s %q: give %s", flag.Name, bad.GetValue(), want)
}
