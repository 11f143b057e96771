package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"paperfs/remote/durable"
	"paperfs/remote/shellword"
)

// ClientEnv is what a client needs to use the service as APIKey.
type ClientEnv struct {
	URL, Username, Password string
	RPM                     int
}

// ReadClientEnv reads the client.env of a data directory.
func ReadClientEnv(data string) (ClientEnv, error) {
	file := filepath.Join(data, ClientEnvFile)
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return ClientEnv{}, fmt.Errorf("%w: it held the only copy of a key; give the account a new one with `paperfs admin --data %s account rotate`, or create the account with `account add`, and write the file again", err, shellword.Quote(data))
	}
	if err != nil {
		return ClientEnv{}, err
	}
	var env ClientEnv
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "=")
		switch name {
		case "PAPERFS_URL":
			env.URL = value
		case "PAPERFS_USERNAME":
			env.Username = value
		case "PAPERFS_PASSWORD":
			env.Password = value
		case "PAPERFS_RPM":
			if env.RPM, err = strconv.Atoi(value); err != nil {
				return ClientEnv{}, fmt.Errorf("%s: PAPERFS_RPM is %q, not a number", file, value)
			}
		}
	}
	return env, nil
}

// WriteClientEnv replaces the file atomically and durably.
func WriteClientEnv(data string, env ClientEnv) error { return write(data, ClientEnvFile, env) }

// KeepClientEnv writes the present client.env to another file, before a change. The caller calls settle with the outcome:
// after a failure, settle renames the file back. A full disk has no room to write it anew, and nothing else has the key.
func KeepClientEnv(data string, env ClientEnv) (settle func(failed error) error, err error) {
	kept := ClientEnvFile + ".kept"
	err = write(data, kept, env)
	return func(failed error) error {
		if failed == nil {
			return os.Remove(filepath.Join(data, kept))
		}
		return errors.Join(failed, durable.Rename(filepath.Join(data, kept), filepath.Join(data, ClientEnvFile)))
	}, err
}

func write(data, name string, env ClientEnv) error {
	f, err := os.CreateTemp(data, ClientEnvFile+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "PAPERFS_URL=%s\nPAPERFS_USERNAME=%s\nPAPERFS_PASSWORD=%s\nPAPERFS_RPM=%d\n", env.URL, env.Username, env.Password, env.RPM)
	return durable.Replace(filepath.Join(data, name), f, errors.Join(err, keepOwner(f, filepath.Join(data, ClientEnvFile))))
}

// keepOwner gives a file the owner of the file that it replaces: root may administer data that
// another user serves.
func keepOwner(f *os.File, replaced string) error {
	info, err := os.Stat(replaced)
	if errors.Is(err, fs.ErrNotExist) || err == nil && os.Geteuid() != 0 {
		return nil
	}
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t)
	return f.Chown(int(owner.Uid), int(owner.Gid))
}
