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
	"paperfs/remote/service/store"
	"paperfs/remote/shellword"
)

// ClientEnv is what a client needs to use the service as APIKey.
type ClientEnv struct {
	URL, Username, Password string
	RPM                     int
}

// ReadClientEnv reads the client.env of a data directory.
func ReadClientEnv(data string) (ClientEnv, error) {
	env, err := readClientEnv(filepath.Join(data, ClientEnvFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: it held the only copy of a key; give the account a new one with `paperfs admin --data %s account rotate`, or create the account with `account add`, and write the file again", err, shellword.Quote(data))
	}
	return env, err
}

func readClientEnv(file string) (env ClientEnv, err error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return env, err
	}
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

// DraftClientEnv writes, within a change of its account, what client.env has after it: a full disk fails the change.
// SettleClientEnv moves it into place.
func DraftClientEnv(data string, env ClientEnv) error { return write(data, NextClientEnvFile, env) }

// RetireClientEnv makes client.env a draft, within the removal of its account: SettleClientEnv removes it then, and moves it
// back if the removal was not made.
func RetireClientEnv(data string) error {
	return errors.Join(os.Rename(filepath.Join(data, ClientEnvFile), filepath.Join(data, NextClientEnvFile)), durable.SyncDir(data))
}

// SettleClientEnv moves a draft into place if the records know its key, and else removes it: the change that wrote it, and may
// have been killed, was not made. It runs within a change, so that no other one is between its draft and its end.
func SettleClientEnv(tx store.Reader, data string) error {
	_ = os.Remove(filepath.Join(data, unwrittenClientEnv)) // of a process that was killed
	next := filepath.Join(data, NextClientEnvFile)
	env, err := readClientEnv(next)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	known := false
	if err == nil {
		_, known, err = env.Owner(tx)
	}
	switch {
	case err != nil:
		return err
	case !known:
		return os.Remove(next)
	}
	return errors.Join(os.Rename(next, filepath.Join(data, ClientEnvFile)), durable.SyncDir(data)) // a draft that cannot be moved stays
}

// Owner finds the account with the name and the key. If no account has the key, it is the tenant default's account of that
// name, whose key is not known then, or the zero Account.
func (e ClientEnv) Owner(tx store.Reader) (owner store.Account, known bool, err error) {
	tenants, err := tx.Tenants()
	if err != nil {
		return owner, false, err
	}
	for _, t := range tenants {
		accounts, err := tx.Accounts(t.ID)
		if err != nil {
			return owner, false, err
		}
		for _, a := range accounts {
			switch {
			case a.Name != e.Username:
			case a.KeyHash == HashKey(e.Password):
				return a, true, nil
			case t.Name == DefaultTenant:
				owner = a
			}
		}
	}
	return owner, false, nil
}

func write(data, name string, env ClientEnv) error {
	f, err := os.OpenFile(filepath.Join(data, unwrittenClientEnv), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // one change at a time
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
