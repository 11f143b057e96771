package main

import (
	"fmt"
	"io"
	"os"
	"paperfs/cmd/paperfs/terminal"
	"paperfs/cmd/paperfs/usage"
)

// hasPassword reports whether a setting tells the password.
func (c *Config) hasPassword() bool {
	return c.Password != "" || c.PasswordFile != "" || c.PasswordCommand != "" || c.Keyring
}

// password is the password, from where the settings say; else somebody is asked.
func (c *Config) password() (password string, err error) {
	key := ""
	switch {
	case c.Password != "" || c.Embedded() && !c.hasPassword():
		return c.Password, nil
	case c.PasswordFile != "":
		key = "password_file"
		password, err = readPassword(c.PasswordFile)
	case c.PasswordCommand != "":
		key = "password_command"
		password, err = runPassword(c.PasswordCommand)
	case c.Keyring:
		key = "keyring"
		password, err = fromKeyring(c.URL, c.Username)
	default:
		return askPassword(fmt.Sprintf("Password of %s at %s: ", terminal.Printable(c.Username), terminal.Printable(c.URL)))
	}
	if err != nil {
		return "", &usage.Error{Err: fmt.Errorf("%s: %w", c.nameOf(key), err)}
	}
	return password, nil
}

// takeHanded takes the password that startDaemon found, wherever.
func (c *Config) takeHanded() error {
	text, err := io.ReadAll(os.Stdin)
	c.inDaemon = true
	c.Password, c.PasswordFile, c.PasswordCommand, c.Keyring = string(text), "", "", false
	return err
}
