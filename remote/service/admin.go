package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode"

	"paperfs/remote"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// Admin changes what no operation of the service changes. It works beside the
// process that serves the data directory, which sees each change at once.
type Admin struct {
	store    store.Store
	data     string
	snapshot func(ctx context.Context, file string) error // writes a copy of the records
}

// OpenAdmin opens a data directory that a service has set up.
func OpenAdmin(data string) (*Admin, error) {
	file := filepath.Join(data, databaseFile)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no service data; `paperfs serve --data %s` sets it up", data, data)
	} else if err != nil {
		return nil, err
	}
	s, err := sqlitestore.OpenExisting(context.Background(), file)
	if err != nil {
		return nil, err
	}
	return &Admin{s, data, s.Snapshot}, nil
}

// Close ends the work.
func (m *Admin) Close() error { return m.store.Close() }

func (m *Admin) read(f func(store.Reader) error) error {
	return m.store.Read(context.Background(), f)
}

func (m *Admin) write(f func(store.Writer) error) error {
	return m.store.Write(context.Background(), f)
}

// SetReadOnly opens or ends a maintenance window: while it lasts, whatever
// changes something answers READONLY.
func (m *Admin) SetReadOnly(on bool) error {
	return m.write(func(tx store.Writer) error { return tx.SetReadOnly(on) })
}

// Account is what is told of an account; its key is not known to anybody but
// its owner.
type Account struct {
	Name string
	Role remote.Role
}

// AddAccount makes an account and gives its key, which cannot be asked for
// later.
func (m *Admin) AddAccount(tenant, name string, role remote.Role) (key string, err error) {
	if err := checkLabel("account", name); err != nil {
		return "", err
	}
	key = newKey()
	err = m.write(func(tx store.Writer) error {
		t, err := tenantNamed(tx, tenant)
		if err != nil {
			return err
		}
		_, err = tx.AddAccount(store.Account{Tenant: t.ID, Name: name, KeyHash: hashKey(key), Role: role})
		if errors.Is(err, store.ErrTaken) {
			return fmt.Errorf("tenant %s has an account %s already; remove it first to give it a new key", tenant, name)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return key, nil
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
			all = append(all, Account{account.Name, account.Role})
		}
		return err
	})
	return all, err
}

// RemoveAccount ends an account; its next call is refused.
func (m *Admin) RemoveAccount(tenant, name string) error {
	return m.write(func(tx store.Writer) error {
		t, err := tenantNamed(tx, tenant)
		if err != nil {
			return err
		}
		err = tx.DeleteAccount(t.ID, name)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("tenant %s has no account %s", tenant, name)
		}
		return err
	})
}

func tenantNamed(tx store.Reader, name string) (store.Tenant, error) {
	t, err := tx.TenantByName(name)
	if errors.Is(err, store.ErrNotFound) {
		return t, fmt.Errorf("there is no tenant %s", name)
	}
	return t, err
}

// checkLabel holds names of tenants and accounts to what can be typed, shown,
// and sent in a form.
func checkLabel(what, name string) error {
	if name == "" || len(name) > 255 || !value.Text(name) || containsBlankOrControl(name) {
		return fmt.Errorf("%q is no name for the %s: 1 to 255 bytes without blanks and control characters", name, what)
	}
	return nil
}

func containsBlankOrControl(s string) bool {
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return true
		}
	}
	return false
}
