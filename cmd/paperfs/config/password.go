package config

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/profile"
)

// HasPassword reports whether a setting has or names the password.
func (c *Config) HasPassword() bool {
	return c.Password != "" || c.PasswordFile != "" || c.PasswordCommand != "" || c.Keyring
}

// FindPassword returns the password from the configured source, or else asks for it.
func (c *Config) FindPassword() (found string, err error) {
	key := ""
	switch {
	case c.Password != "" || c.Embedded() && !c.HasPassword():
		return c.Password, nil
	case c.PasswordFile != "":
		key = "password_file"
		found, err = profile.PasswordFromFile(c.PasswordFile)
	case c.PasswordCommand != "":
		key = "password_command"
		found, err = profile.PasswordFromCommand(c.PasswordCommand)
	case c.Keyring:
		key = "keyring"
		found, err = profile.PasswordFromKeyring(c.URL, c.Username)
	default:
		return profile.AskPassword(fmt.Sprintf("Password of %s at %s: ", cli.Printable(c.Username), cli.Printable(c.URL)))
	}
	if err != nil {
		return "", &cli.UsageError{Err: fmt.Errorf("%s: %w", c.NameOf(key), err)}
	}
	return found, nil
}

// TakeHanded reads the password that paperfs mount passes to the daemon on stdin.
func (c *Config) TakeHanded() error {
	text, err := io.ReadAll(os.Stdin)
	c.InDaemon = true
	c.Password, c.PasswordFile, c.PasswordCommand, c.Keyring = string(text), "", "", false
	return err
}

// PasswordKeys are the settings for the password, of which only one may be set.
var PasswordKeys = []string{profile.PasswordKey, "password_file", "password_command", "keyring"}

// resolvePassword keeps the setting for the password with the first source: one in the profile must not win
// over another in the environment.
func (c *Config) resolvePassword(all map[string]*pflag.Flag) error {
	rankOf := func(key string) rank {
		if key == "keyring" && !c.Keyring {
			return byDefault
		}
		return c.Sources[key].Rank
	}
	ways := slices.SortedStableFunc(slices.Values(PasswordKeys), func(a, b string) int { return int(rankOf(b) - rankOf(a)) })
	if rankOf(ways[1]) == rankOf(ways[0]) && rankOf(ways[0]) != byDefault {
		return fmt.Errorf("%s and %s are both set: set one", c.NameOf(ways[0]), c.NameOf(ways[1]))
	}
	for _, key := range ways[1:] {
		c.Sources[key] = source{byDefault, "default"}
		if err := all[key].Value.Set(all[key].DefValue); err != nil {
			return err
		}
	}
	return nil
}
