package admin

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/durable"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/session"
	"paperfs/remote/service/store"
)

// Account describes an account. Only its owner knows its key.
type Account struct {
	ID   int64
	Name string
	Role remote.Role
	Key  string // only where it is new
	// Sessions are the browsers that are or were signed in, and links that nobody opened.
	Sessions []store.Session
}

// Refused is why a change of an account is not made, in words for whoever asked for it.
type Refused string

func (r Refused) Error() string { return string(r) }

func refused(format string, values ...any) error { return Refused(fmt.Sprintf(format, values...)) }

// As returns an Admin for an administrator of a tenant: it makes changes only while that account is there with the same key, and never
// removes it, so that the tenant keeps an administrator.
func (m *Admin) As(a store.Account) *Admin {
	one := *m
	one.by = a
	return &one
}

// AddAccount creates an account, and returns its key, which cannot be retrieved later.
func (m *Admin) AddAccount(tenant, name string, role remote.Role) (key string, err error) {
	if err := checkLabel("account", name); err != nil {
		return "", err
	}
	key = datadir.NewKey()
	err = m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) error {
		_, err := tx.AddAccount(store.Account{Tenant: t.ID, Name: name, KeyHash: datadir.HashKey(key), Role: role})
		if errors.Is(err, store.ErrTaken) {
			return refused("tenant %s already has an account %s: invite that one, or rotate its key", tenant, name)
		}
		return err
	})
	return key, err
}

// Accounts lists a tenant's accounts by name.
func (m *Admin) Accounts(tenant string) ([]Account, error) {
	var all []Account
	err := m.read(func(tx store.Reader) error {
		t, err := tenantNamed(tx, tenant)
		if err != nil {
			return err
		}
		accounts, err := tx.Accounts(t.ID)
		for _, account := range accounts {
			sessions, failed := tx.Sessions(account.ID)
			err = cmp.Or(err, failed)
			all = append(all, Account{account.ID, account.Name, account.Role, "", sessions})
		}
		return err
	})
	return all, err
}

// Account returns an account by its name, without its sessions.
func (m *Admin) Account(tenant, name string) (a Account, err error) {
	err = m.read(func(tx store.Reader) error {
		found, err := accountNamed(tx, tenant, name)
		a = Account{ID: found.ID, Name: found.Name, Role: found.Role}
		return err
	})
	return a, err
}

// RotateAccount gives an account a new key. The current key stays valid for grace, rounded up to
// a full second; the one before it becomes invalid at once.
func (m *Admin) RotateAccount(tenant, name string, grace time.Duration) (key string, err error) {
	key = datadir.NewKey()
	err = m.changeKey(tenant, name, key, func(tx store.Writer, a store.Account) error {
		var old *store.OldKey
		if grace > 0 {
			old = &store.OldKey{Hash: a.KeyHash, Until: time.Now().Add(grace + time.Second - 1).Truncate(time.Second)}
		}
		return tx.SetKey(a.ID, datadir.HashKey(key), old)
	})
	return key, err
}

// RemoveAccount removes an account; its next call is refused.
func (m *Admin) RemoveAccount(tenant, name string) error {
	return m.changeKey(tenant, name, "", func(tx store.Writer, a store.Account) error {
		if a.ID == m.by.ID {
			return refused("%s is your own account: another administrator removes it", name)
		}
		return tx.DeleteAccount(a.Tenant, a.Name)
	})
}

// SignOut ends all sessions of an account, and the links that nobody opened.
func (m *Admin) SignOut(tenant, name string) error {
	return m.writeTenant(tenant, func(tx store.Writer, _ store.Tenant) error {
		a, err := accountNamed(tx, tenant, name)
		if err != nil {
			return err
		}
		all, err := tx.Sessions(a.ID)
		for _, s := range all {
			err = cmp.Or(err, tx.EndSession(s.Digest))
		}
		return err
	})
}

// changeKey runs a change that gives an account another key, or "" for none. If client.env in the
// data directory is for this account, it is replaced or removed too.
func (m *Admin) changeKey(tenant, name, key string, change func(store.Writer, store.Account) error) error {
	owns := false
	err := m.writeTenant(tenant, func(tx store.Writer, _ store.Tenant) error {
		a, err := accountNamed(tx, tenant, name)
		if err != nil {
			return err
		}
		env, owner, err := m.clientEnv(tx) // before the key changes
		if err == nil {
			err = change(tx, a)
		}
		if owns = owner.ID == a.ID; err == nil && owns && key != "" {
			env.Password = key
			err = datadir.WriteClientEnv(m.data, env) // within the change, so that no other one is between
		}
		return err
	})
	if err == nil && owns && key == "" {
		err = m.removeClientEnv()
	}
	return err
}

// clientEnv returns client.env and the account that owns it: the zero Account if no account does, or without the file.
func (m *Admin) clientEnv(tx store.Reader) (env datadir.ClientEnv, owner store.Account, err error) {
	if m.data == "" {
		return env, owner, nil
	}
	if env, err = datadir.ReadClientEnv(m.data); err != nil {
		return env, owner, ignoreMissing(err)
	}
	owner, err = env.Owner(tx)
	return env, owner, err
}

// removeClientEnv removes the file of an account that is gone.
func (m *Admin) removeClientEnv() error {
	return errors.Join(ignoreMissing(os.Remove(filepath.Join(m.data, datadir.ClientEnvFile))), durable.SyncDir(m.data))
}

func accountNamed(tx store.Reader, tenant, name string) (a store.Account, err error) {
	t, err := tenantNamed(tx, tenant)
	if err != nil {
		return a, err
	}
	accounts, err := tx.Accounts(t.ID)
	at := slices.IndexFunc(accounts, func(a store.Account) bool { return a.Name == name })
	if err == nil && at < 0 {
		err = refused("tenant %s has no account %s", tenant, name)
	}
	if err != nil {
		return a, err
	}
	return accounts[at], nil
}

// Invite returns the address of the page at which a colleague is signed in as an account, once, within session.InvitationLife. at is the
// address of the service as browsers know it; "" means what the tenant says of itself, or client.env.
func (m *Admin) Invite(tenant, name, at string, now time.Time) (address string, err error) {
	err = m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) error {
		a, err := accountNamed(tx, tenant, name)
		if err != nil {
			return err
		}
		env, _, err := m.clientEnv(tx)
		if err != nil {
			return err
		}
		host := ""
		if len(t.Hosts) > 0 {
			host = "https://" + t.Hosts[0]
		}
		if at = cmp.Or(at, t.PublicURL, host, env.URL); at == "" {
			return refused("the tenant %s has no host name and no public address: say with --url at which address your colleague's browser reaches the service", t.Name)
		}
		secret, err := session.Link(tx, a.ID, session.InvitationLife, now)
		address = strings.TrimSuffix(at, "/") + session.LinkPath + secret
		return err
	})
	return address, err
}
