package admin

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"unicode"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/shellword"
	"paperfs/remote/xmlscan"
)

// Admin makes the changes that no operation of the service makes. It works while another process
// serves the data directory; that process sees each change at once.
type Admin struct {
	store      store.Store
	data       string
	contentErr error                                        // why content is unavailable; nil if it is available
	snapshot   func(ctx context.Context, file string) error // writes a copy of the records
	external   store.Contents                               // content that is not in files of data; nil = it is in files
	by         store.Account                                // who makes the changes; the zero Account = the operator
}

// Apart administers records and contents that several services share. data may have a client.env,
// which is updated when the key of its account changes; "" = there is none. Check is then
// CheckApart if contents is Sized. Backup fails, since it only copies files. Close closes only
// the store.
func Apart(s store.Store, contents store.Contents, data string) *Admin {
	return &Admin{store: s, data: data, external: contents, contentErr: errors.New("this works only with a data directory: PostgreSQL and the object store have backups of their own")}
}

// Open opens a data directory that a service has set up. It changes nothing. It rejects what a
// start of the service rejects, except missing content: keys can be changed while the disk with
// the content is unavailable. Methods that need content fail then.
func Open(data string) (*Admin, error) {
	ctx := context.Background()
	setUp, err := datadir.Check(ctx, data)
	var missing *datadir.ForeignDataError
	if errors.As(err, &missing) && missing.Away {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if !setUp {
		return nil, fmt.Errorf("%s holds no service data; `paperfs serve --data %s` sets it up", data, shellword.Quote(data))
	}
	s, err := sqlitestore.OpenExisting(ctx, filepath.Join(data, datadir.DatabaseFile))
	if err != nil {
		return nil, err
	}
	m := &Admin{store: s, data: data, snapshot: s.Snapshot}
	if missing != nil {
		m.contentErr = missing
	}
	return m, nil
}

// contents opens the contents of the data for changes.
func (m *Admin) contents() (*filestore.Store, error) {
	if m.contentErr != nil {
		return nil, m.contentErr
	}
	return datadir.OpenContents(context.Background(), m.data, m.store)
}

// Close closes the store.
func (m *Admin) Close() error { return m.store.Close() }

func (m *Admin) read(f func(store.Reader) error) error {
	return m.store.Read(context.Background(), f)
}

// write runs a change that concerns no single tenant.
func (m *Admin) write(f func(store.Writer) error) error {
	return m.store.Write(context.Background(), store.AllTenants, f)
}

// writeTenant runs a change of a tenant.
func (m *Admin) writeTenant(name string, f func(tx store.Writer, t store.Tenant) error) error {
	var found store.Tenant
	err := m.read(func(tx store.Reader) (err error) {
		found, err = tenantNamed(tx, name)
		return err
	})
	if err != nil {
		return err
	}
	return m.store.Write(context.Background(), found.ID, func(tx store.Writer) error {
		t, err := tenantNamed(tx, name)
		if err == nil && t.ID != found.ID {
			err = fmt.Errorf("the tenant %s was just removed and created again", name)
		}
		if err == nil && m.by.ID != 0 {
			var may bool
			if may, err = tx.HasKey(m.by.ID, m.by.KeyHash); err == nil && !may {
				err = refused("your account may not do this any more")
			}
		}
		if err != nil {
			return err
		}
		return f(tx, t)
	})
}

// SetReadOnly starts or ends a maintenance window: during it, the service answers changes with
// READONLY.
func (m *Admin) SetReadOnly(on bool) error {
	return m.write(func(tx store.Writer) error { return tx.SetReadOnly(on) })
}

func tenantNamed(tx store.Reader, name string) (store.Tenant, error) {
	t, err := tx.TenantByName(name)
	if errors.Is(err, store.ErrNotFound) {
		return t, fmt.Errorf("there is no tenant %s", name)
	}
	return t, err
}

// checkLabel checks that a name of a tenant or account can be typed, shown, and sent in a form.
func checkLabel(what, name string) error {
	if name == "" || len(name) > 255 || !xmlscan.Carries(name) || containsBlankOrControl(name) {
		return refused("%q is not a valid name for the %s: 1 to 255 bytes, without spaces and control characters", name, what)
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
