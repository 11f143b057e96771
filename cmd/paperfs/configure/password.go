package configure

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/profile"
	"paperfs/remote/durable"
)

// newPassword returns the password to store, or "" for none.
func newPassword(c *config.Config, fromStdin bool) (string, error) {
	switch {
	case c.URL == "":
		return "", nil
	case fromStdin && (c.PasswordFile != "" || c.PasswordCommand != ""):
		return "", &cli.UsageError{Err: errors.New("give one of --password-file, --password-command and --password-stdin")}
	case !fromStdin && c.HasPassword():
		return "", nil
	case fromStdin:
		return readPassword()
	case profile.CanAsk():
		return profile.AskPassword("Password (empty to keep none): ")
	}
	return "", nil
}

func readPassword() (string, error) {
	text, err := io.ReadAll(os.Stdin)
	if err == nil && profile.OneLine(text) == "" {
		err = &cli.UsageError{Err: errors.New("--password-stdin: standard input is empty")}
	}
	return profile.OneLine(text), err
}

// passwordFileOf returns the file for the password of a profile.
func passwordFileOf(c *config.Config, name string) string {
	path, err := filepath.Abs(c.ProfileFile())
	if err != nil {
		path = c.ProfileFile()
	}
	return filepath.Join(filepath.Dir(path), name+".password")
}

// keepPassword stores a password in the keyring, or else in a file, and returns the settings
// that refer to it. With --keyring it never uses a file.
func keepPassword(c *config.Config, name, secret string) ([]profile.Named, error) {
	if secret == "" {
		return nil, nil
	}
	err := profile.KeepInKeyring(c.URL, c.Username, secret)
	switch {
	case err == nil && c.Keyring:
		return nil, nil // the flag becomes a setting of the profile
	case err == nil:
		return []profile.Named{{Key: "keyring", Value: true}}, nil
	case c.Keyring:
		return nil, fmt.Errorf("--keyring: %w", err)
	}
	path := passwordFileOf(c, name)
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("the password cannot be stored in %s, because that file exists: move it away", path)
	}
	if err := writePassword(path, secret); err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "paperfs: the password is in %s, not in the desktop's keyring: %v\n", path, err)
	return []profile.Named{{Key: "password_file", Value: path}}, nil
}

// dropKept removes the file of a password whose profile could not be written: nobody would look
// for it there, and the next attempt would not replace it. The keyring's password may be another
// profile's, too.
func dropKept(kept []profile.Named) error {
	for _, s := range kept {
		if s.Key == "password_file" {
			fmt.Fprintf(os.Stderr, "paperfs: %s is removed again, because there is no profile for it\n", s.Value)
			return os.Remove(s.Value.(string))
		}
	}
	return nil
}

func writePassword(path, password string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".password.*")
	if err != nil {
		return err
	}
	_, err = draft.WriteString(password + "\n")
	return durable.Replace(path, draft, err)
}
