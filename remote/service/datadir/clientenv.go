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
func ReadClientEnv(data string) (env ClientEnv, err error) {
	file := filepath.Join(data, ClientEnvFile)
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: it held the only copy of a key; give the account a new one with `paperfs admin --data %s account rotate`, or create the account with `account add`, and write the file again", err, shellword.Quote(data))
	}
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

// Owner finds the account with the name and the key. If no account has the key, it is the tenant default's account of that
// name: a rotation may have been cut between client.env and the records. It is the zero Account if there is none.
func (e ClientEnv) Owner(tx store.Reader) (owner store.Account, err error) {
	tenants, err := tx.Tenants()
	if err != nil {
		return owner, err
	}
	for _, t := range tenants {
		accounts, err := tx.Accounts(t.ID)
		if err != nil {
			return owner, err
		}
		for _, a := range accounts {
			switch {
			case a.Name != e.Username:
			case a.KeyHash == HashKey(e.Password):
				return a, nil
			case t.Name == DefaultTenant:
				owner = a
			}
		}
	}
	return owner, nil
}

// WriteClientEnv replaces the file atomically and durably.
func WriteClientEnv(data string, env ClientEnv) error {
	file := filepath.Join(data, ClientEnvFile)
	f, err := os.OpenFile(file+".tmp", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // one change at a time
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "PAPERFS_URL=%s\nPAPERFS_USERNAME=%s\nPAPERFS_PASSWORD=%s\nPAPERFS_RPM=%d\n", env.URL, env.Username, env.Password, env.RPM)
	return durable.Replace(file, f, errors.Join(err, keepOwner(f, file)))
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
