package config

import (
	"fmt"
	"io"
	"os"
	"slices"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/password"
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
		found, err = password.FromFile(c.PasswordFile)
	case c.PasswordCommand != "":
		key = "password_command"
		found, err = password.FromCommand(c.PasswordCommand)
	case c.Keyring:
		key = "keyring"
		found, err = password.FromKeyring(c.URL, c.Username)
	default:
		return password.Ask(fmt.Sprintf("Password of %s at %s: ", cli.Printable(c.Username), cli.Printable(c.URL)))
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

// settlePassword selects the first source of the password. There are several settings for it,
// and one in the profile must not win over another in the environment.
func (c *Config) settlePassword() error {
	c.Password, c.Sources[profile.PasswordKey] = os.Getenv("PAPERFS_PASSWORD"), source{ByDefault, "default"}
	if c.Password != "" {
		c.Sources[profile.PasswordKey] = source{inEnvironment, "PAPERFS_PASSWORD"}
	} else if s, there := c.profile.Settings[profile.PasswordKey]; there {
		var ok bool
		if c.Password, ok = s.Value.(string); !ok {
			return c.profile.Errorf(profile.PasswordKey, "%s", wanted["string"])
		}
		c.Sources[profile.PasswordKey] = source{inProfile, c.profile.At(profile.PasswordKey)}
	}
	var ways []string
	for _, key := range passwordKeys {
		switch from := c.Sources[key]; {
		case from.Rank == ByDefault || key == "keyring" && !c.Keyring || len(ways) > 0 && from.Rank < c.Sources[ways[0]].Rank:
		case len(ways) == 0 || from.Rank > c.Sources[ways[0]].Rank:
			ways = []string{key}
		default:
			ways = append(ways, key)
		}
	}
	if len(ways) > 1 {
		return fmt.Errorf("%s and %s are both set: set one", c.NameOf(ways[0]), c.NameOf(ways[1]))
	}
	for _, key := range passwordKeys {
		if !slices.Contains(ways, key) && c.Sources[key].Rank != ByDefault {
			c.forgetPassword(key)
		}
	}
	return nil
}

// passwordKeys are the settings for the password, of which only one may be set.
var passwordKeys = []string{profile.PasswordKey, "password_file", "password_command", "keyring"}

func (c *Config) forgetPassword(key string) {
	switch c.Sources[key] = (source{ByDefault, "default"}); key {
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
