package admin

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"paperfs/remote"
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
	owns := false
	err := m.writeTenant(tenant, func(tx store.Writer, _ store.Tenant) error {
		a, err := accountNamed(tx, tenant, name)
		if err != nil {
			return err
		}
		env, owner, err := m.clientEnv(tx) // before the key changes
		switch owns = err == nil && owner.ID == a.ID; {
		case owns && key == "":
			err = datadir.RetireClientEnv(m.data)
		case owns:
			env.Password = key
			err = datadir.DraftClientEnv(m.data, env)
		}
		if err != nil {
			return err
		}
		return change(tx, a) // tells the key last
	})
	if owns { // the draft of a change that failed is removed
		err = cmp.Or(err, m.updateClientEnv())
	}
	return err
}

// clientEnv returns client.env and the account that owns it: the zero Account if no account does, or without the file.
func (m *Admin) clientEnv(tx store.Reader) (env datadir.ClientEnv, owner store.Account, err error) {
	if m.data == "" {
		return env, owner, nil
	}
	if err := datadir.SettleClientEnv(tx, m.data); err != nil {
		return env, owner, err
	}
	if env, err = datadir.ReadClientEnv(m.data); err != nil {
		return env, owner, ignoreMissing(err)
	}
	owner, _, err = env.Owner(tx)
	return env, owner, err
}

// updateClientEnv puts the draft of client.env into effect after a change, or removes that of an account that is gone.
func (m *Admin) updateClientEnv() error {
	if err := m.write(func(tx store.Writer) error { return datadir.SettleClientEnv(tx, m.data) }); err != nil {
		return &MadeError{fmt.Errorf("the change is made, but %s is not up to date until the next start of the service: %w", filepath.Join(m.data, datadir.ClientEnvFile), err)}
	}
	return nil
}

// MadeError is a failure after a change was made.
type MadeError struct{ error }

func (e *MadeError) Unwrap() error { return e.error }

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
