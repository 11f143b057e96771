package admin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"paperfs/remote"
	"paperfs/remote/durable"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/store"
)

// Account describes an account. Only its owner knows its key.
type Account struct {
	ID   int64
	Name string
	Role remote.Role
	Key  string // only where it is new
}

// tell calls functions with what a change has made, whose secret cannot be retrieved later, unless there is an error. They
// are called within the change: if one fails, nothing is changed.
func tell[T any](all []func(T) error, made T, err error) error {
	for _, t := range all {
		if err == nil {
			err = t(made)
		}
	}
	return err
}

// AddAccount creates an account, and returns its key, of which told is told.
func (m *Admin) AddAccount(tenant, name string, role remote.Role, told ...func(Account) error) (key string, err error) {
	if err := checkLabel("account", name); err != nil {
		return "", err
	}
	key = datadir.NewKey()
	err = m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) error {
		id, err := tx.AddAccount(store.Account{Tenant: t.ID, Name: name, KeyHash: datadir.HashKey(key), Role: role})
		if errors.Is(err, store.ErrTaken) {
			return fmt.Errorf("tenant %s already has an account %s; `account rotate` gives it a new key", tenant, name)
		}
		return tell(told, Account{id, name, role, key}, err)
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
			all = append(all, Account{account.ID, account.Name, account.Role, ""})
		}
		return err
	})
	return all, err
}

// RotateAccount gives an account a new key. The current key stays valid for grace, rounded up to
// a full second; the one before it becomes invalid at once.
func (m *Admin) RotateAccount(tenant, name string, grace time.Duration, told ...func(Account) error) (key string, err error) {
	key = datadir.NewKey()
	err = m.changeKey(tenant, name, key, func(tx store.Writer, a store.Account) error {
		var old *store.OldKey
		if grace > 0 {
			old = &store.OldKey{Hash: a.KeyHash, Until: time.Now().Add(grace + time.Second - 1).Truncate(time.Second)}
		}
		return tell(told, Account{a.ID, a.Name, a.Role, key}, tx.SetKey(a.ID, datadir.HashKey(key), old))
	})
	return key, err
}

// RemoveAccount removes an account; its next call is refused.
func (m *Admin) RemoveAccount(tenant, name string) error {
	return m.changeKey(tenant, name, "", func(tx store.Writer, a store.Account) error { return tx.DeleteAccount(a.Tenant, a.Name) })
}

// changeKey runs a change that gives an account another key, or "" for none. If client.env in the
// data directory is for this account, it is updated too.
func (m *Admin) changeKey(tenant, name, key string, change func(store.Writer, store.Account) error) error {
	settle := untouched
	err := m.writeTenant(tenant, func(tx store.Writer, _ store.Tenant) error {
		a, err := accountNamed(tx, tenant, name)
		if err != nil {
			return err
		}
		env, owner, err := m.clientEnv(tx) // before the key changes
		if err != nil {
			return err
		}
		if err := change(tx, a); err != nil || owner.ID != a.ID {
			return err
		}
		settle, err = m.updateClientEnv(env, key)
		return err
	})
	return settle(err)
}

// clientEnv reads client.env and finds its account: the one with its name and its key. If no
// account has the key, as after a rotation that was killed, it is the tenant default's account of
// that name. The owner is the zero Account if there is none, or no file.
func (m *Admin) clientEnv(tx store.Reader) (env datadir.ClientEnv, owner store.Account, err error) {
	if m.data == "" {
		return env, owner, nil
	}
	if env, err = datadir.ReadClientEnv(m.data); err != nil {
		return env, owner, ignoreMissing(err)
	}
	tenants, err := tx.Tenants()
	if err != nil {
		return env, owner, err
	}
	key := datadir.HashKey(env.Password)
	for _, t := range tenants {
		a, err := accountOf(tx, t, env.Username)
		switch {
		case store.IsNotFound(err):
		case err != nil || a.KeyHash == key:
			return env, a, err
		case t.Name == datadir.DefaultTenant:
			owner = a
		}
	}
	return env, owner, nil
}

// untouched settles a change that did not get as far as client.env.
func untouched(failed error) error { return failed }

// updateClientEnv writes client.env with another key, or removes it if key is "". settle restores it if the change fails in
// the end.
func (m *Admin) updateClientEnv(env datadir.ClientEnv, key string) (settle func(failed error) error, err error) {
	if settle, err = datadir.KeepClientEnv(m.data, env); err != nil {
		return untouched, err
	}
	if key == "" {
		return settle, errors.Join(ignoreMissing(os.Remove(filepath.Join(m.data, datadir.ClientEnvFile))), durable.SyncDir(m.data))
	}
	env.Password = key
	return settle, datadir.WriteClientEnv(m.data, env)
}

func accountNamed(tx store.Reader, tenant, name string) (store.Account, error) {
	t, err := tenantNamed(tx, tenant)
	if err != nil {
		return store.Account{}, err
	}
	a, err := accountOf(tx, t, name)
	if store.IsNotFound(err) {
		return a, fmt.Errorf("tenant %s has no account %s", tenant, name)
	}
	return a, err
}

// accountOf finds an account of a tenant by name; store.ErrNotFound if there is none.
func accountOf(tx store.Reader, t store.Tenant, name string) (store.Account, error) {
	accounts, err := tx.Accounts(t.ID)
	if err != nil {
		return store.Account{}, err
	}
	for _, a := range accounts {
		if a.Name == name {
			return a, nil
		}
	}
	return store.Account{}, store.ErrNotFound
}
