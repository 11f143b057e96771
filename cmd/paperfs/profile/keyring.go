package profile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zalando/go-keyring"
)

// keyringLimit bounds the wait for the desktop, which may ask the user to unlock the
// keyring.
const keyringLimit = time.Minute

// KeyringName returns the service name under which the keyring has a password; the entry's
// user is the user name.
func KeyringName(url string) string { return "paperfs:" + strings.TrimSuffix(url, "/") }

var errNoBus = errors.New("there is no desktop session: DBUS_SESSION_BUS_ADDRESS is not set, and XDG_RUNTIME_DIR has no bus")

// withKeyring calls the keyring, which may never answer. It does not call it without a desktop
// session, because the library would start a bus.
func withKeyring(limit time.Duration, call func() error) error {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
		if _, err := os.Stat(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")); os.Getenv("XDG_RUNTIME_DIR") == "" || err != nil {
			return errNoBus
		}
	}
	answered := make(chan error, 1)
	go func() { answered <- call() }()
	select {
	case err := <-answered:
		return err
	case <-time.After(limit):
		return fmt.Errorf("the desktop's keyring has not answered for %s", limit)
	}
}

// PasswordFromKeyring returns the password of an account.
func PasswordFromKeyring(url, username string) (password string, err error) {
	var found string
	err = withKeyring(keyringLimit, func() (err error) {
		found, err = keyring.Get(KeyringName(url), username)
		return err
	})
	if errors.Is(err, keyring.ErrNotFound) {
		return "", fmt.Errorf("the desktop's keyring has no password of %s at %s. To put it there, run: secret-tool store --label=paperfs service %s username %s", username, url, KeyringName(url), username)
	}
	if err != nil {
		return "", fmt.Errorf("the desktop's keyring cannot be read: %w", err)
	}
	return found, nil
}

func KeepInKeyring(url, username, password string) error {
	return withKeyring(keyringLimit, func() error { return keyring.Set(KeyringName(url), username, password) })
}

func DropFromKeyring(url, username string) error {
	err := withKeyring(keyringLimit, func() error { return keyring.Delete(KeyringName(url), username) })
	if errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return err
}
